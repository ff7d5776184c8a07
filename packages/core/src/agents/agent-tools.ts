import { failed, succeeded, type ToolResult } from "@fencepost/contract";
import { Type, type Static } from "typebox";
import { controlTool, type ControlTool } from "../control/control-tool.ts";
import { waitMs } from "./agent-limits.ts";
import type { AgentTeam } from "./agent-team.ts";

const TaskName = Type.String({ minLength: 1, pattern: "^[a-z][a-z0-9_]{0,47}$", description: "Lower case letters, digits and _, at most 48; unique in this session." });

const TaskInput = Type.Object({ task_name: TaskName, message: Type.String({ minLength: 1, description: "All that the agent needs to know." }) }, { additionalProperties: false });

const WaitInput = Type.Object(
  { timeout_ms: Type.Optional(Type.Integer({ minimum: waitMs.least, maximum: waitMs.most, description: `How long to wait. Default ${waitMs.byDefault}.` })) },
  { additionalProperties: false },
);

const NoInput = Type.Object({}, { additionalProperties: false });

const NameInput = Type.Object({ task_name: TaskName }, { additionalProperties: false });

type Task = Static<typeof TaskInput>;

/** The five tools with which a model uses explorer agents. */
export function agentTools(team: AgentTeam): readonly ControlTool[] {
  return [
    controlTool<Task>({
      id: "spawn_agent",
      description: "Starts an explorer: a second agent that reads and searches the workspace on its own and changes nothing in it. Its answer comes as a message.",
      inputSchema: TaskInput,
      run: async ({ task_name: name, message }) => answer(await team.spawn(name, message), `Agent ${name} started`),
    }),
    controlTool<Static<typeof WaitInput>>({
      id: "wait_agent",
      description: "Waits until a message of an agent is there. The messages come with the next response.",
      inputSchema: WaitInput,
      run: ({ timeout_ms: timeoutMs = waitMs.byDefault }, { signal }) => wait(team, timeoutMs, signal),
    }),
    controlTool<Static<typeof NoInput>>({
      id: "list_agents",
      description: "Lists the agents of this session and their state.",
      inputSchema: NoInput,
      run: () => succeeded(team.list().map(({ name, state }) => `${name}: ${state}`).join("\n") || "No agents"),
    }),
    controlTool<Task>({
      id: "followup_task",
      description: "Gives an agent that has ended another task. It still knows what it did before.",
      inputSchema: TaskInput,
      run: async ({ task_name: name, message }) => answer(await team.followUp(name, message), `Agent ${name} started`),
    }),
    controlTool<Static<typeof NameInput>>({
      id: "interrupt_agent",
      description: "Stops what an agent does.",
      inputSchema: NameInput,
      run: ({ task_name: name }) => answer(team.interrupt(name), `Agent ${name} is being interrupted`),
    }),
  ];
}

function answer(refused: string | undefined, done: string): ToolResult {
  return refused === undefined ? succeeded(done) : failed("execution_failed", refused);
}

async function wait(team: AgentTeam, timeoutMs: number, signal: AbortSignal): Promise<ToolResult> {
  if (team.mailbox.size === 0 && team.running === 0) return succeeded("No agent is running and no message is waiting");
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  try {
    await team.mailbox.arrival(AbortSignal.any([signal, timeout.signal]));
  } finally {
    clearTimeout(timer);
  }
  if (signal.aborted) return failed("cancelled", "The wait was cancelled; the agents go on.");
  const { size } = team.mailbox;
  if (size === 0) return succeeded(`No message after ${timeoutMs} ms; ${team.running} running`);
  return succeeded(size === 1 ? "1 message has arrived" : `${size} messages have arrived`);
}
