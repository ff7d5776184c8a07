import { randomBytes } from "node:crypto";
import { canonicalWorkspace, platformBackend, resolveEnvironment, SandboxPolicy, type SandboxBackend, type SandboxEnvironment } from "@fencepost/sandbox";
import { builtinRegistry, defaultPreset, localSession, removeSessionSpill, type SessionContext } from "@fencepost/tools";
import { modelIdleTimeoutMs } from "../model/read-response.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { createSession } from "./create-session.ts";
import { defaultInstructions } from "./default-instructions.ts";
import { localChangeFunctions } from "../changes/local-change-functions.ts";
import { startSession } from "./resume.ts";
import type { SessionParts } from "./session-parts.ts";
import type { AgentSession, OpenSessionOptions } from "./session.ts";

const sessionIdBytes = 8;

/** How often one turn may ask the model, unless the host says otherwise. */
export const defaultMaxModelCalls = 20;

/**
 * Opens a session on this machine: its disk, its kernel sandbox, state under `~/.fencepost`.
 *
 * @throws {Error} one line: a workspace that is no directory, an unknown tool, a stored session of another workspace
 */
export async function openSession(options: OpenSessionOptions): Promise<AgentSession> {
  const workspace = canonicalWorkspace(options.workspace);
  if ("error" in workspace) throw new Error(workspace.error);
  const environment = resolveEnvironment({
    workspaceRoot: workspace.path,
    ...(options.stateHome !== undefined && { stateHome: options.stateHome }),
    ...(options.additions && { additions: options.additions }),
  });
  const backend = options.backend ?? platformBackend();
  const release = async (): Promise<void> => {
    if (!options.backend) await backend.close();
  };
  try {
    return createSession(await sessionParts(options, { workspace: workspace.path, environment, backend, release }));
  } catch (error) {
    await release();
    throw error;
  }
}

interface Ground {
  readonly workspace: string;
  readonly environment: SandboxEnvironment;
  readonly backend: SandboxBackend;
  readonly release: () => Promise<void>;
}

async function sessionParts(options: OpenSessionOptions, { workspace, environment, backend, release }: Ground): Promise<SessionParts> {
  const id = options.sessionId ?? randomBytes(sessionIdBytes).toString("hex");
  const store = options.store ?? (options.model ? createMemoryStore() : undefined);
  const preset = options.approvals ?? "ask-on-escalation";
  const approver = options.interactive === false ? undefined : options.approver;
  const session = await localSession({
    sessionId: id,
    workspaceRoot: workspace,
    environment,
    backend,
    search: { close: async () => undefined },
    escalation: escalationOf(preset, approver !== undefined),
    ...(options.toolOptions && { options: options.toolOptions }),
  });
  const toolset = builtinRegistry().finalize(options.tools ? { tools: options.tools } : defaultPreset, session);
  const start = await startSession(store, { sessionId: id, workspace, mode: options.mode });
  const network = options.network ?? "host";
  return {
    id,
    workspace,
    ...start,
    toolset,
    sandbox: { ...session.sandbox, backend: backend.id },
    network,
    policy: (mode) => new SandboxPolicy({ mode, workspaceRoot: workspace, grants: [], environment, network }),
    approver,
    preset,
    changes: localChangeFunctions(session),
    ...(options.hooks && { hooks: options.hooks }),
    ...(options.onWarning && { onWarning: options.onWarning }),
    ...(options.trace && { trace: options.trace }),
    ...(store && { store }),
    ...(options.model &&
      store && {
        drive: {
          model: options.model,
          store,
          instructions: options.instructions ?? defaultInstructions,
          maxModelCalls: options.maxModelCalls ?? defaultMaxModelCalls,
          idleTimeoutMs: options.modelIdleTimeoutMs ?? modelIdleTimeoutMs,
          parallelReadOnly: options.parallelReadOnly ?? false,
          plans: true,
        },
      }),
    async release() {
      await session.search.close();
      await release();
      if (!(options.keepSpill ?? options.store !== undefined)) removeSessionSpill(environment.stateHome, id);
    },
  };
}

/** Whether a refused call can be retried with permissions: somebody, or `allow-all`, must be there to say yes. */
function escalationOf(preset: SessionParts["preset"], canAsk: boolean): SessionContext["escalation"] {
  if (preset === "deny-all") return "non_interactive";
  return preset === "allow-all" || canAsk ? "possible" : "non_interactive";
}
