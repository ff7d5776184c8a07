import type { SandboxBackend, SandboxEnvironment } from "@fencepost/sandbox";
import { createLocalFileWork } from "../files/local/local-file-work.ts";
import { createObservations } from "../files/observations.ts";
import { createLocalProcessBackend } from "../process/local-process-backend.ts";
import type { SearchBackend } from "../search/search-backend.ts";
import { createLocalSpillDirectory } from "../spill/local-spill-directory.ts";
import { removeStaleSpills } from "../spill/remove-spills.ts";
import { childEnvironment } from "./child-environment.ts";
import type { SessionContext } from "./session-context.ts";
import { defaultToolOptions, type ToolOptions } from "./tool-options.ts";

export interface LocalSessionOptions {
  readonly sessionId: string;
  /** Canonical: see `canonicalWorkspace`. */
  readonly workspaceRoot: string;
  readonly environment: SandboxEnvironment;
  /** Probed here, once: what it says decides about bash for the whole session. */
  readonly backend: SandboxBackend;
  readonly search: SearchBackend;
  readonly options?: Partial<ToolOptions>;
  /** Default `possible`. */
  readonly escalation?: SessionContext["escalation"];
  /** Where the variables of child processes are taken from. Default: of this process. */
  readonly hostEnvironment?: Readonly<Record<string, string | undefined>>;
  readonly redact?: (text: string) => string;
}

/**
 * Everything the tools need, on this machine: its disk, its kernel sandbox, locks and journal under the state home.
 * Takes back what killed processes left half done, and removes spills nobody touched for a week, before it returns.
 */
export async function localSession(choices: LocalSessionOptions): Promise<SessionContext> {
  const { environment, sessionId, workspaceRoot } = choices;
  const { stateHome } = environment;
  const files = createLocalFileWork(stateHome);
  await files.recover();
  removeStaleSpills(stateHome);
  return Object.freeze({
    sessionId,
    workingDirectory: workspaceRoot,
    sandbox: await choices.backend.probe(),
    escalation: choices.escalation ?? "possible",
    environment: childEnvironment(choices.hostEnvironment ?? process.env, { environment }),
    fileSystem: files.fileSystem,
    processes: createLocalProcessBackend(choices.backend),
    search: choices.search,
    spill: createLocalSpillDirectory(stateHome, sessionId),
    observations: createObservations(),
    writeLocks: files.writeLocks,
    journal: files.journal,
    options: Object.freeze({ ...defaultToolOptions, ...choices.options }),
    ...(choices.redact && { redact: choices.redact }),
  });
}
