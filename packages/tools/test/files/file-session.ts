import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isFileChangeArtifact, resultText, type FileChange, type ToolResult } from "@fencepost/contract";
import { resolveEnvironment, SandboxPolicy, type PathGrant, type SandboxMode } from "@fencepost/sandbox";
import { builtinRegistry } from "../../src/builtin/builtin-registry.ts";
import type { CallContext } from "../../src/context/call-context.ts";
import type { SessionContext } from "../../src/context/session-context.ts";
import { defaultToolOptions, type ToolOptions } from "../../src/context/tool-options.ts";
import { createLocalFileWork } from "../../src/files/local/local-file-work.ts";
import { reapplyChanges, undoChanges, type MovedChanges } from "../../src/files/move-changes.ts";
import { createObservations, type Observations } from "../../src/files/observations.ts";
import type { FinalizedToolset } from "../../src/toolset/finalized-toolset.ts";

/** Removed at the end: a home, a workspace and a place outside, none of them in a temporary directory. */
export interface FilePlace {
  readonly root: string;
  readonly home: string;
  readonly workspace: string;
  readonly outside: string;
  at(name: string): string;
  put(name: string, content: string | Uint8Array): string;
  text(name: string): string;
  remove(): void;
}

export function makeFilePlace(): FilePlace {
  const root = realpathSync(mkdtempSync(join(homedir(), ".cache-fencepost-files-")));
  const [home, workspace, outside] = [join(root, "home"), join(root, "work"), join(root, "outside")];
  for (const directory of [home, workspace, outside]) mkdirSync(directory);
  const at = (name: string): string => join(workspace, name);
  return {
    root,
    home,
    workspace,
    outside,
    at,
    put(name, content) {
      writeFileSync(at(name), content);
      return at(name);
    },
    text: (name) => readFileSync(at(name), "utf8"),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

export interface FileSessionChoices {
  readonly mode?: SandboxMode;
  readonly options?: Partial<ToolOptions>;
  readonly observations?: Observations;
  readonly replace?: Partial<SessionContext>;
  readonly tools?: readonly string[];
}

export interface FileSession {
  readonly session: SessionContext;
  readonly toolset: FinalizedToolset;
  readonly policy: SandboxPolicy;
  /** Text of the result. */
  text(tool: string, input: unknown): Promise<string>;
  call(tool: string, input: unknown, extra?: Partial<CallContext>): Promise<ToolResult>;
  undo(changes: readonly FileChange[]): Promise<MovedChanges>;
  reapply(changes: readonly FileChange[]): Promise<MovedChanges>;
}

const fileTools = ["read", "write", "edit", "list", "apply_patch", "rename_file", "delete_file"];

const noSearch = (): Promise<never> => Promise.reject(new Error("no search here"));

let calls = 0;

export function openFileSession(place: Pick<FilePlace, "workspace" | "home">, choices: FileSessionChoices = {}): FileSession {
  const environment = resolveEnvironment({ workspaceRoot: place.workspace, env: { HOME: place.home } });
  const policy = new SandboxPolicy({ mode: choices.mode ?? "auto", workspaceRoot: place.workspace, grants: [], environment, network: "host" });
  const work = createLocalFileWork(environment.stateHome);
  const session: SessionContext = {
    sessionId: "files",
    workingDirectory: place.workspace,
    sandbox: { available: true },
    escalation: "possible",
    environment: {},
    fileSystem: work.fileSystem,
    processes: { start: () => Promise.resolve({ started: false, kind: "failed", message: "no commands here" }) },
    search: { close: () => Promise.resolve(), grep: noSearch, glob: noSearch },
    spill: undefined,
    observations: choices.observations ?? createObservations(),
    writeLocks: work.writeLocks,
    journal: work.journal,
    options: { ...defaultToolOptions, ...choices.options },
    ...choices.replace,
  };
  const toolset = builtinRegistry().finalize({ tools: choices.tools ?? fileTools }, session);
  const call = (tool: string, input: unknown, extra: Partial<CallContext> = {}): Promise<ToolResult> =>
    toolset.call({ toolId: tool, input }, { callId: `call-${++calls}`, signal: new AbortController().signal, progress: () => undefined, policy, ...extra });
  const touched = (changes: readonly FileChange[]): SandboxPolicy =>
    policy.withGrants(changes.flatMap(({ realPath, fromRealPath }) => [realPath, ...(fromRealPath === undefined ? [] : [fromRealPath])]).map((path): PathGrant => ({ path, access: "write", scope: "exact" })));
  return {
    session,
    toolset,
    policy,
    call,
    text: async (tool, input) => resultText(await call(tool, input)),
    undo: (changes) => undoChanges(session, changes, touched(changes)),
    reapply: (changes) => reapplyChanges(session, changes, touched(changes)),
  };
}

/** The file changes among a result's artifacts. */
export function changesOf(result: ToolResult): readonly FileChange[] {
  return result.artifacts.filter((artifact) => isFileChangeArtifact(artifact)).map((artifact) => artifact.payload);
}
