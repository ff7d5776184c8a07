import { randomBytes } from "node:crypto";
import { narrowerMode, SandboxPolicy, type SandboxBackend, type SandboxEnvironment, type SandboxMode } from "@fencepost/sandbox";
import { builtinRegistry, defaultPreset, explorerPreset, localSession, removeSessionSpill, type SearchBackend, type SessionContext } from "@fencepost/tools";
import { agentMaxModelCalls } from "../agents/agent-limits.ts";
import { createAgentTeam, type AgentTeam } from "../agents/agent-team.ts";
import { localChangeFunctions } from "../changes/local-change-functions.ts";
import { modelIdleTimeoutMs } from "../model/read-response.ts";
import type { SessionStore } from "../store/session-store.ts";
import { createSession } from "./create-session.ts";
import { defaultInstructions, explorerInstructions } from "./default-instructions.ts";
import { startSession } from "./resume.ts";
import type { DriveParts, SessionParts } from "./session-parts.ts";
import type { OpenSessionOptions } from "./session.ts";

const sessionIdBytes = 8;

/** How often one turn may ask the model, unless the host says otherwise. */
const defaultMaxModelCalls = 20;

/** What a session and the agents it starts have in common. */
export interface Ground {
  /** Canonical. */
  readonly workspace: string;
  readonly environment: SandboxEnvironment;
  readonly backend: SandboxBackend;
  readonly search: SearchBackend;
  readonly store: SessionStore | undefined;
  readonly release: () => Promise<void>;
  /** Set for a child session. */
  readonly parentId?: string;
}

/** Puts a session's parts together on this machine. */
export async function sessionParts(options: OpenSessionOptions, ground: Ground): Promise<SessionParts> {
  const { workspace, environment, backend, search, store, parentId } = ground;
  const id = options.sessionId ?? randomBytes(sessionIdBytes).toString("hex");
  const preset = options.approvals ?? "ask-on-escalation";
  const approver = options.interactive === false ? undefined : options.approver;
  const session = await localSession({
    sessionId: id,
    workspaceRoot: workspace,
    environment,
    backend,
    search,
    escalation: parentId === undefined ? escalationOf(preset, approver !== undefined) : "child_session",
    ...(options.toolOptions && { options: options.toolOptions }),
  });
  const toolset = (options.registry ?? builtinRegistry()).finalize(options.tools ? { tools: options.tools } : defaultPreset, session);
  const start = await startSession(store, { sessionId: id, workspace, mode: options.mode, ...(parentId !== undefined && { parentId }) });
  const network = options.network ?? "host";
  let mode = (): SandboxMode => start.mode;
  const team = store && options.model && options.agents && parentId === undefined ? agentTeam(options, ground, { id, store, mode: () => mode() }) : undefined;
  await team?.reconcile(start.stored?.messages ?? []);
  return {
    id,
    workspace,
    ...start,
    toolset,
    sandbox: { ...session.sandbox, backend: backend.id },
    network,
    policy: policies((current) => new SandboxPolicy({ mode: current, workspaceRoot: workspace, grants: [], environment, network })),
    approver,
    preset,
    changes: localChangeFunctions(session),
    onOpen: (opened) => {
      mode = () => opened.mode;
    },
    ...(options.hooks && { hooks: options.hooks }),
    ...(options.onWarning && { onWarning: options.onWarning }),
    ...(options.trace && { trace: options.trace }),
    ...(store && { store }),
    ...(store && options.model && { drive: driveParts(options, { model: options.model, store, isChild: parentId !== undefined, team }) }),
    async release() {
      await session.tasks?.close();
      await ground.release();
      if (!(options.keepSpill ?? options.store !== undefined)) removeSessionSpill(environment.stateHome, id);
    },
  };
}

/** One policy a mode: it cannot change, and making it costs as much as the rest of a call's way. */
function policies(make: (mode: SandboxMode) => SandboxPolicy): (mode: SandboxMode) => SandboxPolicy {
  const made = new Map<SandboxMode, SandboxPolicy>();
  return (mode) => {
    const policy = made.get(mode) ?? make(mode);
    made.set(mode, policy);
    return policy;
  };
}

interface DriveChoice {
  readonly model: DriveParts["model"];
  readonly store: SessionStore;
  readonly isChild: boolean;
  readonly team: AgentTeam | undefined;
}

function driveParts(options: OpenSessionOptions, { model, store, isChild, team }: DriveChoice): DriveParts {
  return {
    model,
    store,
    instructions: options.instructions ?? defaultInstructions,
    maxModelCalls: options.maxModelCalls ?? defaultMaxModelCalls,
    idleTimeoutMs: options.modelIdleTimeoutMs ?? modelIdleTimeoutMs,
    parallelReadOnly: options.parallelReadOnly ?? false,
    plans: !isChild,
    ...(team && { team }),
  };
}

interface Root {
  readonly id: string;
  readonly store: SessionStore;
  readonly mode: () => SandboxMode;
}

/** Explorers: they look around, ask nobody, start nobody, and their mode is the narrower one from when they are spawned. */
function agentTeam(options: OpenSessionOptions, ground: Ground, root: Root): AgentTeam {
  const { mode: _ofRoot, approver: _approver, agents, ...common } = options;
  return createAgentTeam({
    rootId: root.id,
    store: root.store,
    open: async (sessionId) => {
      const mode = narrowerMode(root.mode(), "accept-edits");
      const known = await root.store.session(sessionId);
      const child: OpenSessionOptions = {
        ...common,
        sessionId,
        // A snapshot: an agent that is taken up again keeps the mode that it was spawned with.
        ...(!known && { mode }),
        ...(agents?.model && { model: agents.model }),
        tools: explorerPreset.tools,
        interactive: false,
        approvals: options.approvals === "allow-all" ? "ask-on-escalation" : (options.approvals ?? "ask-on-escalation"),
        instructions: explorerInstructions,
        maxModelCalls: agentMaxModelCalls,
        keepSpill: options.keepSpill ?? options.store !== undefined,
      };
      return createSession(await sessionParts(child, { ...ground, parentId: root.id, release: async () => undefined }));
    },
  });
}

/** Whether a refused call can be retried with permissions: somebody, or `allow-all`, must be there to say yes. */
function escalationOf(preset: SessionParts["preset"], canAsk: boolean): SessionContext["escalation"] {
  if (preset === "deny-all") return "non_interactive";
  return preset === "allow-all" || canAsk ? "possible" : "non_interactive";
}
