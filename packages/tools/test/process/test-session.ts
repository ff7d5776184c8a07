import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { lstat, readFile, readlink, realpath, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { ProgressSink } from "@fencepost/contract";
import { resolveEnvironment, SandboxPolicy, type SandboxBackend, type SandboxMode } from "@fencepost/sandbox";
import { defaultCommandOptions, type CommandOptions } from "../../src/commands/command-options.ts";
import type { CallContext } from "../../src/context/call-context.ts";
import { childEnvironment } from "../../src/context/child-environment.ts";
import type { SessionContext } from "../../src/context/session-context.ts";
import { defaultToolOptions } from "../../src/context/tool-options.ts";
import { FileSystemError, type FileKind, type FileSystem } from "../../src/files/file-system.ts";
import { createObservations } from "../../src/files/observations.ts";
import { createLocalProcessBackend } from "../../src/process/local-process-backend.ts";
import type { SpillDirectory, SpillWriter } from "../../src/spill/spill-directory.ts";
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
  readonly network?: "host" | "none";
}

export interface TestSession {
  readonly session: SessionContext;
  readonly policy: SandboxPolicy;
  /** A call context; each call gets an id of its own. */
  call(extra?: Partial<CallContext>): CallContext;
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
  const session: SessionContext = {
    sessionId: "session-1",
    workingDirectory: place.workspace,
    sandbox: choices.unavailable === undefined ? { available: true } : { available: false, reason: choices.unavailable, remedy: "none" },
    escalation: choices.escalation ?? "possible",
    environment: { ...childEnvironment({ ...process.env, HOME: place.home }, policy), ...choices.environment },
    fileSystem,
    processes: createLocalProcessBackend(choices.sandbox ?? createSandboxDouble()),
    search: { close: () => Promise.resolve() },
    spill: "spill" in choices ? choices.spill : memorySpill(place),
    observations: createObservations(),
    writeLocks: { withLock: (_path, work) => work() },
    options: {
      ...defaultToolOptions,
      ...(choices.maxCommandTimeoutMs !== undefined && { maxCommandTimeoutMs: choices.maxCommandTimeoutMs }),
      commands: { ...defaultCommandOptions, ...choices.commands },
    },
  } as SessionContext;
  return {
    session,
    policy,
    call: (extra) => ({ callId: `call-${++calls}`, signal: new AbortController().signal, progress: ignoreProgress, policy, ...extra }),
  };
}

const ignoreProgress: ProgressSink = () => {};

/** Spills to one file a call, without the cap: the real one is tested where it lives. */
function memorySpill(place: TestPlace): SpillDirectory {
  const path = join(place.root, "spill");
  mkdirSync(path, { recursive: true });
  return {
    path,
    open(callId): SpillWriter {
      const parts: Buffer[] = [];
      return {
        write: (bytes) => void parts.push(Buffer.from(bytes as Uint8Array)),
        async finish() {
          const file = join(path, `${callId}.txt`);
          await writeFile(file, Buffer.concat(parts));
          return { path: file, capped: false };
        },
        discard: () => Promise.resolve(),
      };
    },
  };
}

export const readSpill = (path: string): Promise<string> => readFile(path, "utf8");

/** As much of a file system as commands need. */
const fileSystem = {
  lstat: (path: string) => guarded(path, async () => statOf(await lstat(path))),
  stat: (path: string) => guarded(path, async () => statOf(await stat(path))),
  realpath: (path: string) => guarded(path, () => realpath(path)),
  readlink: (path: string) => guarded(path, () => readlink(path)),
} as unknown as FileSystem;

async function guarded<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new FileSystemError((error as NodeJS.ErrnoException).code ?? "EIO", path, "look at");
  }
}

function statOf(stats: { isDirectory(): boolean; isSymbolicLink(): boolean }): { kind: FileKind } {
  return { kind: stats.isDirectory() ? "directory" : stats.isSymbolicLink() ? "symlink" : "file" };
}
