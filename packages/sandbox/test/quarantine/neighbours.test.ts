import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bubblewrapBackend } from "../../src/index.ts";
import { QuarantineCall } from "../../src/quarantine/quarantine-call.ts";
import { commandIn, makeWorld, run, start, type World } from "../bubblewrap/world.ts";

const backend = bubblewrapBackend();
let world: World;
beforeEach(() => (world = makeWorld()));
afterEach(() => world.remove());
afterAll(() => backend.close());

const at = (path: string): string => join(world.workspace, path);

const until = async (done: () => boolean): Promise<void> => {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe.runIf(process.platform === "linux")("two commands at once", () => {
  it("[P50] what one makes and takes away again, the other cannot make anew", async () => {
    const first = await start(backend, commandIn(world, "mkdir -p x/.vscode; echo a > .envrc; touch made; until [ -e go ]; do sleep 0.02; done; mv x .envrc $TMPDIR; touch taken"));
    await until(() => existsSync(at("made")));
    const second = await start(backend, commandIn(world, "touch go; until [ -e taken ]; do sleep 0.02; done; mkdir -p x/.vscode; echo evil > x/.vscode/tasks.json; echo evil > .envrc"));
    expect((await second.done).exitCode).toBe(0);
    await first.done;
    expect(existsSync(at("x/.vscode")), "x/.vscode").toBe(false);
    expect(existsSync(at(".envrc")), ".envrc").toBe(false);
  });

  it("[P50] what the sweep behind one has moved away, the other cannot make anew", async () => {
    const first = await start(backend, commandIn(world, "echo a > .envrc; touch made; until [ -e go ]; do sleep 0.02; done"));
    await until(() => existsSync(at("made")));
    const second = await start(backend, commandIn(world, "touch go; while [ -e .envrc ]; do sleep 0.02; done; echo evil > .envrc"));
    await first.done;
    const ran = await second.done;
    expect(existsSync(at(".envrc"))).toBe(false);
    expect(ran.violated).toBe(true);
  });

  it("[P50] a neighbour with other rules or without write access takes nothing away from anybody", async () => {
    world.file(".env");
    world.file("sub/.vscode/settings.json");
    const other = await start(backend, commandIn(world, "touch $TMPDIR/ready; sleep 5", { policy: world.policy({ mode: "accept-edits" }) }));
    await until(() => existsSync(join(world.temp, "ready")));
    const ran = await run(backend, commandIn(world, "true"));
    other.kill();
    await other.done;
    expect(ran.violated).toBe(false);
    expect(readFileSync(at(".env"), "utf8")).toBe("kept\n");
    expect(readFileSync(at("sub/.vscode/settings.json"), "utf8")).toBe("kept\n");
  });
});

describe.runIf(process.platform === "linux")("an editor that saves meanwhile", () => {
  it("is left its file, and the result says that the command could write it", async () => {
    const env = world.file(".env");
    const running = await start(backend, commandIn(world, "touch made; until [ -e go ]; do sleep 0.02; done"));
    await until(() => existsSync(at("made")));
    writeFileSync(`${env}.tmp`, "by the editor\n");
    renameSync(`${env}.tmp`, env);
    writeFileSync(at("go"), "");
    const ran = await running.done;
    expect(readFileSync(env, "utf8")).toBe("by the editor\n");
    expect([ran.violated, ran.notes]).toEqual([false, ["[sandbox: 1 protected paths were replaced from outside while the command ran, and it could write them since then: .env]"]]);
    expect((await run(backend, commandIn(world, "true"))).notes).toEqual([]);
  });
});

describe.runIf(process.platform === "linux")("what cannot be seen or moved", () => {
  it("[P50] a protected name below a path too long for the kernel does not survive", async () => {
    const ran = await run(backend, commandIn(world, "n=$(printf d%.0s {1..100}); for i in {1..60}; do mkdir $n && cd -P $n 2>/dev/null || break; done; mkdir .vscode; echo evil > .vscode/tasks.json; echo in $(ls -d .vscode)"));
    expect(ran.output).toContain("in .vscode");
    expect(ran.violated).toBe(true);
    expect(execFileSync("find", [world.workspace, "-name", ".vscode"], { encoding: "utf8" })).toBe("");
  });

  it("[P50] a state home that cannot be written while a command runs does not end the host", async () => {
    const uncaught: unknown[] = [];
    const note = (error: unknown): void => void uncaught.push(error);
    process.on("uncaughtException", note);
    try {
      const running = await start(backend, commandIn(world, "sleep 0.5"));
      renameSync(join(world.environment.stateHome, "sandbox"), join(world.root, "away"));
      await new Promise((resolve) => setTimeout(resolve, 300));
      renameSync(join(world.root, "away"), join(world.environment.stateHome, "sandbox"));
      expect((await running.done).exitCode).toBe(0);
      expect(uncaught).toEqual([]);
    } finally {
      process.off("uncaughtException", note);
    }
  });

  it("[P50] what could neither be moved away nor renamed does not count as known to the next command", async () => {
    await run(backend, commandIn(world, "true"));
    const quarantine = join(world.environment.stateHome, "quarantine");
    renameSync(quarantine, `${quarantine}-away`);
    writeFileSync(quarantine, "no directory\n");
    const broken = vi.spyOn(QuarantineCall.prototype, "setAside").mockReturnValue(false);
    try {
      const stuck = await run(backend, commandIn(world, "echo evil > .envrc"));
      expect(stuck.notes.join("\n")).toContain("could not be put in order");
    } finally {
      broken.mockRestore();
    }
    renameSync(quarantine, `${quarantine}-file`);
    await run(backend, commandIn(world, "true"));
    expect(existsSync(at(".envrc"))).toBe(false);
  });
});
