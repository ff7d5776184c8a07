import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { PathGrant, SandboxBackend, SandboxCommand, SandboxMode, SandboxSettlement } from "../../src/index.ts";
import { runLaunch } from "../../src/backend/testing/index.ts";
import { noAdditions, SandboxPolicy, type SandboxEnvironment } from "../../src/index.ts";

/** A home, a workspace, a temp root and an outside directory of a test's own, outside the machine's temp roots. */
export interface World {
  readonly root: string;
  readonly home: string;
  readonly workspace: string;
  readonly temp: string;
  readonly outside: string;
  readonly environment: SandboxEnvironment;
  policy(fields?: Partial<{ mode: SandboxMode; grants: readonly PathGrant[]; network: "host" | "none"; environment: SandboxEnvironment; workspaceRoot: string }>): SandboxPolicy;
  /** Makes a file with its parents, relative to the workspace. */
  file(path: string, content?: string): string;
  remove(): void;
}

export function makeWorld(name = "plain"): World {
  const root = realpathSync(mkdtempSync(join(process.env["FENCEPOST_TEST_ROOT"] ?? homedir(), ".fencepost-test-")));
  const home = join(root, "home");
  const workspace = join(root, `ws ${name}`);
  const temp = join(root, "temp");
  const outside = join(root, "outside");
  for (const directory of [home, workspace, temp, outside, join(root, "state")]) mkdirSync(directory);
  const environment: SandboxEnvironment = {
    home,
    credentialHomes: [home],
    tempRoots: [temp],
    stateHome: join(root, "state"),
    skillRoots: [join(home, ".agents/skills")],
    gitDirs: [],
    additions: noAdditions,
  };
  return {
    root,
    home,
    workspace,
    temp,
    outside,
    environment,
    policy: (fields = {}) => new SandboxPolicy({ mode: "auto", workspaceRoot: workspace, grants: [], environment, network: "host", ...fields }),
    file: (path, content = "kept\n") => {
      const full = join(workspace, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, content);
      return full;
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

export interface Ran extends SandboxSettlement {
  readonly output: string;
}

let calls = 0;

export function commandIn(world: World, script: string, fields: Partial<SandboxCommand> = {}): SandboxCommand {
  calls += 1;
  return {
    policy: fields.policy ?? world.policy(),
    argv: ["/bin/bash", "-c", script],
    workingDirectory: world.workspace,
    env: { PATH: "/usr/bin:/bin", HOME: world.home, TMPDIR: world.temp, LANG: "C.UTF-8" },
    sessionId: "session",
    callId: `call-${calls}`,
    ...fields,
  };
}

export interface Running {
  readonly done: Promise<Ran>;
  kill(signal?: NodeJS.Signals): string;
  /** What was printed so far. */
  output(): string;
}

/** Starts a command as a host does. */
export async function start(backend: SandboxBackend, command: SandboxCommand): Promise<Running> {
  const running = await runLaunch(backend, command);
  return { done: running.done, output: () => running.output(), kill: (signal = "SIGKILL") => running.signal(signal) };
}

export async function run(backend: SandboxBackend, command: SandboxCommand): Promise<Ran> {
  return (await start(backend, command)).done;
}
