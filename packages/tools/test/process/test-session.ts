import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { ProgressSink } from "@fencepost/contract";
import { resolveEnvironment, SandboxPolicy, type SandboxBackend, type SandboxMode } from "@fencepost/sandbox";
import { defaultCommandOptions, type CommandOptions } from "../../src/commands/command-options.ts";
import type { CallContext } from "../../src/context/call-context.ts";
import { childEnvironment } from "../../src/context/child-environment.ts";
import type { SessionContext } from "../../src/context/session-context.ts";
import { defaultToolOptions } from "../../src/context/tool-options.ts";
import { createLocalFileSystem } from "../../src/files/local/local-file-system.ts";
import { createObservations } from "../../src/files/observations.ts";
import { createLocalProcessBackend } from "../../src/process/local-process-backend.ts";
import { createLocalSpillDirectory } from "../../src/spill/local-spill-directory.ts";
import type { SpillDirectory } from "../../src/spill/spill-directory.ts";
import { createCommandTasks } from "../../src/tasks/command-tasks.ts";
import { forgetfulTaskStore, type TaskStore } from "../../src/tasks/task-store.ts";
import { createSandboxDouble } from "./unsandboxed-backend.ts";

/** A home and a workspace outside the temporary directories, removed at the end. */
export interface TestPlace {
  readonly root: string;
  readonly home: string;
  readonly workspace: string;
  remove(): void;
}

export function makePlace(): TestPlace {
  const root = realpathSync(mkdtempSync(join(homedir(), ".cache-fencepost-test-")));
  const [home, workspace] = [join(root, "home"), join(root, "work space")];
  for (const directory of [home, workspace]) mkdirSync(directory);
  return { root, home, workspace, remove: () => rmSync(root, { recursive: true, force: true }) };
}

export interface SessionChoices {
  readonly place: TestPlace;
  readonly sandbox?: SandboxBackend;
  readonly mode?: SandboxMode;
  readonly commands?: Partial<CommandOptions>;
  readonly escalation?: SessionContext["escalation"];
  readonly maxCommandTimeoutMs?: number;
  readonly spill?: SpillDirectory | undefined;
  readonly environment?: Readonly<Record<string, string>>;
  readonly unavailable?: string;
  readonly now?: () => number;
  readonly taskStore?: TaskStore;
  readonly network?: "host" | "none";
}

export interface TestSession {
  readonly session: SessionContext;
  readonly policy: SandboxPolicy;
  /** A call context; each call gets an id of its own. */
  readonly call: (extra?: Partial<CallContext>) => CallContext;
}

let calls = 0;

export function openTestSession(choices: SessionChoices): TestSession {
  const { place } = choices;
  const environment = resolveEnvironment({ workspaceRoot: place.workspace, env: { HOME: place.home } });
  const policy = new SandboxPolicy({
    mode: choices.mode ?? "auto",
    workspaceRoot: place.workspace,
    grants: [],
    environment,
    network: choices.network ?? "host",
  });
  const processes = createLocalProcessBackend(choices.sandbox ?? createSandboxDouble());
  const spill = "spill" in choices ? choices.spill : createLocalSpillDirectory(environment.stateHome, "session-1");
  const commands = { ...defaultCommandOptions, ...choices.commands };
  const { secrets, limits } = commands;
  const session: SessionContext = {
    sessionId: "session-1",
    workingDirectory: place.workspace,
    sandbox: choices.unavailable === undefined ? { available: true } : { available: false, reason: choices.unavailable, remedy: "none" },
    escalation: choices.escalation ?? "possible",
    environment: { ...childEnvironment({ ...process.env, HOME: place.home }, policy), ...choices.environment },
    fileSystem: createLocalFileSystem(),
    processes,
    search: { grep: unusedSearch, glob: unusedSearch, close: () => Promise.resolve() },
    spill,
    observations: createObservations(),
    tasks: createCommandTasks({
      sessionId: "session-1",
      processes,
      spill,
      secrets,
      limits,
      now: choices.now ?? Date.now,
      store: choices.taskStore ?? forgetfulTaskStore,
    }),
    writeLocks: { withLock: (_path, work) => work() },
    options: {
      ...defaultToolOptions,
      ...(choices.maxCommandTimeoutMs !== undefined && { maxCommandTimeoutMs: choices.maxCommandTimeoutMs }),
      commands,
    },
  };
  return {
    session,
    policy,
    call: (extra) => ({ callId: `call-${++calls}`, signal: new AbortController().signal, progress: ignoreProgress, policy, ...extra }),
  };
}

const ignoreProgress: ProgressSink = () => {};

const unusedSearch = (): Promise<never> => Promise.reject(new Error("commands do not search"));

export const readSpill = (path: string): Promise<string> => readFile(path, "utf8");
