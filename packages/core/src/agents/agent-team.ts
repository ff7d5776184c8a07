import type { Message } from "../conversation/message.ts";
import type { AgentSession } from "../session/session.ts";
import type { SessionStore } from "../store/session-store.ts";
import { estimateTokens, maxMessageTokens, maxRunningAgents } from "./agent-limits.ts";
import { outcomeText } from "./agent-outcome.ts";
import { createMailbox, type Mailbox } from "./mailbox.ts";

export interface AgentTeamParts {
  readonly rootId: string;
  readonly store: SessionStore;
  /** Opens the agent's own session, resumed where the store has it. */
  readonly open: (sessionId: string) => Promise<AgentSession>;
}

export type AgentState = "running" | "completed" | "failed" | "interrupted";

/** The agents of one session. What it refuses, it refuses with a text for the model. */
export interface AgentTeam {
  readonly mailbox: Mailbox;
  /** Undefined where it has started, else why not. */
  spawn(name: string, message: string): Promise<string | undefined>;
  followUp(name: string, message: string): Promise<string | undefined>;
  interrupt(name: string): string | undefined;
  list(): readonly { readonly name: string; readonly state: AgentState }[];
  readonly running: number;
  /** Takes up the agents that the store knows: what they ended with and their session was never told is delivered. */
  reconcile(told: readonly Message[]): Promise<void>;
  /** Interrupts all and waits for them. */
  close(): Promise<void>;
}

interface Agent {
  readonly name: string;
  readonly sessionId: string;
  session: AgentSession | undefined;
  state: AgentState;
  turn: Promise<void>;
}

export function createAgentTeam({ rootId, store, open }: AgentTeamParts): AgentTeam {
  const agents = new Map<string, Agent>();
  const mailbox = createMailbox();
  let closed = false;
  const running = (): number => [...agents.values()].filter(({ state }) => state === "running").length;

  const refusal = (message: string): string | undefined => {
    const tokens = estimateTokens(message);
    if (tokens > maxMessageTokens) return `The message has about ${tokens} tokens; at most ${maxMessageTokens} are allowed. Shorten it, or name files to read instead.`;
    if (running() >= maxRunningAgents) return `${maxRunningAgents} agents are running, which is the most. Use wait_agent, then try again.`;
    return closed ? "The session is closing." : undefined;
  };

  const work = async (agent: Agent, message: string): Promise<void> => {
    try {
      agent.session ??= await open(agent.sessionId);
      if (closed) return;
      const { turnId, outcome } = await agent.session.prompt(message);
      agent.state = stateOf(outcome.status);
      mailbox.deliver(outcomeText(agent.name, outcome), turnId ?? agent.sessionId);
    } catch (error) {
      agent.state = "failed";
      mailbox.deliver(`agent ${agent.name} could not work: ${error instanceof Error ? error.message : String(error)}.`, agent.sessionId);
    }
  };

  const start = (agent: Agent, message: string): undefined => {
    agent.state = "running";
    agent.turn = work(agent, message);
    return undefined;
  };

  return {
    mailbox,
    async spawn(name, message) {
      const refused = refusal(message);
      if (refused !== undefined) return refused;
      if (agents.has(name)) return `The name ${name} is taken. Use followup_task to give that agent another task, or choose another name.`;
      const agent: Agent = { name, sessionId: childId(rootId, name), session: undefined, state: "running", turn: Promise.resolve() };
      agents.set(name, agent);
      return start(agent, message);
    },
    async followUp(name, message) {
      const agent = agents.get(name);
      if (!agent) return unknownText(name, [...agents.keys()]);
      if (agent.state === "running") return `Agent ${name} is still running. Use wait_agent or interrupt_agent first.`;
      return refusal(message) ?? start(agent, message);
    },
    interrupt(name) {
      const agent = agents.get(name);
      if (!agent) return unknownText(name, [...agents.keys()]);
      if (agent.state !== "running") return `Agent ${name} is not running.`;
      return agent.session?.cancelTurn() ? undefined : `Agent ${name} is still starting. Try again in the next response.`;
    },
    list: () => [...agents.values()].map(({ name, state }) => ({ name, state })),
    get running() {
      return running();
    },
    async reconcile(told) {
      const known = new Set(told.flatMap((message) => (message.role === "note" && message.source !== undefined ? [message.source] : [])));
      const children = await store.sessions({ parentId: rootId, limit: Number.MAX_SAFE_INTEGER });
      for (const { sessionId } of children.toReversed()) {
        const name = sessionId.slice(childId(rootId, "").length);
        const turns = await store.turns(sessionId);
        const last = turns.at(-1)?.outcome;
        agents.set(name, { name, sessionId, session: undefined, state: last ? stateOf(last.status) : "interrupted", turn: Promise.resolve() });
        for (const { turnId, outcome } of turns) if (outcome && !known.has(turnId)) mailbox.deliver(outcomeText(name, outcome), turnId);
      }
    },
    async close() {
      closed = true;
      for (const agent of agents.values()) agent.session?.cancelTurn();
      await Promise.all([...agents.values()].map(({ turn }) => turn));
      await Promise.all([...agents.values()].flatMap(({ session }) => (session ? [session.close()] : [])));
    },
  };
}

/** Unique because the name is unique in its root. */
function childId(rootId: string, name: string): string {
  return `${rootId}.${name}`;
}

function stateOf(status: "completed" | "failed" | "cancelled" | "interrupted"): AgentState {
  return status === "cancelled" ? "interrupted" : status;
}

function unknownText(name: string, names: readonly string[]): string {
  return `There is no agent ${JSON.stringify(name)}. ${names.length === 0 ? "Use spawn_agent to start one." : `There are: ${names.join(", ")}.`}`;
}
