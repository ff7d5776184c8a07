import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { noAdditions } from "../../policy/environment.ts";
import { SandboxPolicy } from "../../policy/policy.ts";
import type { PathGrant } from "../../policy/grant.ts";
import type { SandboxBackend, SandboxCommand } from "../backend.ts";
import { runLaunch, type RunningCommand } from "./run-launch.ts";

/** The two functions of a test runner (vitest, node:test, mocha, …) that the suite needs. */
export interface TestRunner {
  describe(title: string, body: () => void): unknown;
  it(title: string, body: () => Promise<void>): unknown;
}

interface Place {
  readonly root: string;
  readonly workspace: string;
  command(script: string, grants?: readonly PathGrant[]): SandboxCommand;
}

/**
 * The contract of a backend, as tests. Commands are `/bin/sh -c` scripts that only use `echo x > 'path'`,
 * `cat 'path'`, `sleep n`, `exit n`, one a line.
 *
 * @example testSandboxBackend({ describe, it }, () => myBackend());
 */
export function testSandboxBackend(runner: TestRunner, make: () => SandboxBackend): void {
  const check = (title: string, body: (backend: SandboxBackend, place: Place) => Promise<void>): void => {
    runner.it(title, async () => {
      const place = makePlace();
      const backend = make();
      try {
        await body(backend, place);
      } finally {
        await backend.close();
        rmSync(place.root, { recursive: true, force: true });
      }
    });
  };

  runner.describe("the contract of a sandbox backend", () => {
    check("answers its probe the same way each time", async (backend) => {
      assert.deepEqual(await backend.probe(), { available: true });
      assert.deepEqual(await backend.probe(), { available: true });
    });

    check("runs a command and reports its exit code and output", async (backend, place) => {
      const ran = await run(backend, place.command("echo hello\nexit 7"));
      assert.deepEqual([ran.ran, ran.gone, ran.exitCode, ran.signal, ran.violated, ran.output], [true, true, 7, null, false, "hello\n"]);
      assert.equal(ran.classify(ran.output), "normal");
    });

    check("lets a command write its workspace", async (backend, place) => {
      const ran = await run(backend, place.command(`echo x > '${place.workspace}/f'\ncat '${place.workspace}/f'`));
      assert.deepEqual([ran.exitCode, ran.output], [0, "x\n"]);
      assert.equal(ran.classify(ran.output), "normal");
    });

    for (const [what, path] of [["outside", "outside/f"], ["a sensitive file", "workspace/.env"], ["a hook", "workspace/.git/hooks/pre-commit"], ["a credential", "home/.ssh/key"]] as const) {
      check(`refuses a write to ${what}, leaves it as it was, and says denied`, async (backend, place) => {
        const ran = await run(backend, place.command(`echo x > '${place.root}/${path}'\nexit 1`));
        assert.equal(ran.classify(ran.output), "denied");
        assert.equal(readFileSync(join(place.root, path), "utf8"), "kept\n");
      });
    }

    check("refuses to read a credential, and allows it with a grant", async (backend, place) => {
      const key = join(place.root, "home/.ssh/key");
      const refused = await run(backend, place.command(`cat '${key}'`));
      assert.equal(refused.output.includes("kept"), false);
      assert.equal(refused.classify(refused.output), "denied");
      const granted = await run(backend, place.command(`cat '${key}'`, [{ path: key, access: "read", scope: "exact" }]));
      assert.equal(granted.output, "kept\n");
    });

    check("opens a sensitive file to its grant, and a hook to none", async (backend, place) => {
      const [env, hook] = [join(place.workspace, ".env"), join(place.workspace, ".git/hooks/pre-commit")];
      const grants: readonly PathGrant[] = [env, hook].map((path) => ({ path, access: "write", scope: "exact" }));
      await run(backend, place.command(`echo x > '${env}'\necho x > '${hook}'`, grants));
      assert.equal(readFileSync(env, "utf8"), "x\n");
      assert.equal(readFileSync(hook, "utf8"), "kept\n");
    });

    check("lets no new protected name survive a call", async (backend, place) => {
      const path = join(place.workspace, ".envrc");
      const ran = await run(backend, place.command(`echo x > '${path}'\nexit 1`));
      assert.equal(existsSync(path), false);
      assert.equal(ran.classify(ran.output), "denied");
    });

    check("ends a command on SIGKILL and knows that it is gone", async (backend, place) => {
      const running = await runLaunch(backend, place.command("echo begun\nsleep 60"));
      while (!running.output().includes("begun")) await delay(5);
      assert.equal(running.signal("SIGKILL"), "sent");
      const ran = await running.done;
      assert.deepEqual([ran.gone, ran.exitCode], [true, null]);
      assert.equal(running.signal("SIGKILL"), "gone");
    });

    check("takes a runner that could not be started for a failed runner", async (backend, place) => {
      const launch = await backend.prepare(place.command("exit 0"));
      assert.equal(launch.refused, false);
      if (launch.refused) return;
      launch.onStarted(undefined);
      const settled = await launch.settle({ code: null, signal: null });
      assert.equal(settled.ran, false);
      assert.equal(settled.classify("x: Read-only file system"), "runner_failed");
    });

    check("plans commands side by side", async (backend, place) => {
      const ran = await Promise.all([1, 2, 3].map((code) => run(backend, place.command(`exit ${code}`))));
      assert.deepEqual(ran.map((one) => one.exitCode), [1, 2, 3]);
    });
  });
}

async function run(backend: SandboxBackend, command: SandboxCommand): RunningCommand["done"] {
  return (await runLaunch(backend, command)).done;
}

let calls = 0;

function makePlace(): Place {
  const root = realpathSync(mkdtempSync(join(homedir(), ".fencepost-contract-")));
  const [workspace, home] = [join(root, "workspace"), join(root, "home")];
  for (const directory of ["workspace/.git/hooks", "home/.ssh", "outside", "temp"]) mkdirSync(join(root, directory), { recursive: true });
  for (const file of ["workspace/.env", "workspace/.git/hooks/pre-commit", "home/.ssh/key", "outside/f"]) writeFileSync(join(root, file), "kept\n");
  const environment = { home, credentialHomes: [home], tempRoots: [join(root, "temp")], stateHome: join(home, ".fencepost"), skillRoots: [], gitDirs: [], additions: noAdditions };
  return {
    root,
    workspace,
    command: (script, grants = []) => ({
      policy: new SandboxPolicy({ mode: "auto", workspaceRoot: workspace, grants, environment, network: "host" }),
      argv: ["/bin/sh", "-c", script],
      workingDirectory: workspace,
      env: { PATH: "/usr/bin:/bin", HOME: home },
      sessionId: "contract",
      callId: `call-${(calls += 1)}`,
    }),
  };
}
