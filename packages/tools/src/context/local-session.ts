import { protectedWrites, SandboxPolicy, type SandboxBackend, type SandboxEnvironment } from "@fencepost/sandbox";
import { createLocalFileWork } from "../files/local/local-file-work.ts";
import { createObservations } from "../files/observations.ts";
import { redactText, secretsFault } from "../process/output/redactor.ts";
import { createLocalProcessBackend } from "../process/local-process-backend.ts";
import { createLocalSearchBackend } from "../search/local/local-search-backend.ts";
import type { SearchBackend } from "../search/search-backend.ts";
import { createLocalSpillDirectory } from "../spill/local-spill-directory.ts";
import { removeStaleSpills } from "../spill/remove-spills.ts";
import { createCommandTasks } from "../tasks/command-tasks.ts";
import { createLocalTaskStore } from "../tasks/local-task-store.ts";
import { childEnvironment } from "./child-environment.ts";
import { chooseToolOptions, type ToolChoices } from "./choose-tool-options.ts";
import type { SessionContext } from "./session-context.ts";

export interface LocalSessionOptions {
  readonly sessionId: string;
  /** Canonical: see `canonicalWorkspace`. */
  readonly workspaceRoot: string;
  readonly environment: SandboxEnvironment;
  /** Probed here, once: what it says decides about bash for the whole session. */
  readonly backend: SandboxBackend;
  /** Default: this machine's disk. Whoever opened it closes it: `session.search.close()`. */
  readonly search?: SearchBackend;
  readonly options?: ToolChoices;
  /** Default `possible`. */
  readonly escalation?: SessionContext["escalation"];
  /** Where the variables of child processes are taken from. Default: of this process. */
  readonly hostEnvironment?: Readonly<Record<string, string | undefined>>;
  /** Default: takes out the secrets of the options. */
  readonly redact?: (text: string) => string;
}

/** What hosts without types forget. */
const parts = { sessionId: "a name of its own", workspaceRoot: "what canonicalWorkspace gives", environment: "what resolveEnvironment gives", backend: "what platformBackend gives" };

/**
 * Everything the tools need, on this machine: its disk, its kernel sandbox, locks and journal under the state home.
 * Takes back what killed processes left half done, and removes spills nobody touched for a week, before it returns.
 */
export async function localSession(choices: LocalSessionOptions): Promise<SessionContext> {
  for (const [name, from] of Object.entries(parts)) if (!Object.hasOwn(choices, name)) throw new TypeError(`localSession needs ${name}: ${from}`);
  const { environment, sessionId, workspaceRoot } = choices;
  const { stateHome } = environment;
  const options = chooseToolOptions(choices.options);
  // Waits for processes, so the rest is done meanwhile. It never rejects.
  const probed = choices.backend.probe();
  const files = createLocalFileWork(stateHome);
  await files.recover();
  removeStaleSpills(stateHome);
  const processes = createLocalProcessBackend(choices.backend);
  const spill = createLocalSpillDirectory(stateHome, sessionId);
  const { secrets, limits } = options.commands;
  const fault = secretsFault(secrets);
  if (fault !== undefined) throw new Error(fault);
  return Object.freeze({
    sessionId,
    workingDirectory: workspaceRoot,
    sandbox: await probed,
    escalation: choices.escalation ?? "possible",
    environment: childEnvironment(choices.hostEnvironment ?? process.env, { environment }),
    fileSystem: files.fileSystem,
    processes,
    search: choices.search ?? createLocalSearchBackend(),
    spill,
    observations: createObservations(),
    writeLocks: files.writeLocks,
    journal: files.journal,
    protectedWrites: protectedWrites(new SandboxPolicy({ mode: "accept-edits", workspaceRoot, grants: [], environment, network: "host" })),
    tasks: createCommandTasks({ sessionId, processes, spill, secrets, limits, store: createLocalTaskStore(stateHome, sessionId), now: Date.now }),
    options,
    redact: choices.redact ?? ((text: string) => redactText(text, secrets)),
  });
}
