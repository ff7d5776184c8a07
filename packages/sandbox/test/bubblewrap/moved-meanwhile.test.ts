import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { bubblewrapBackend } from "../../src/index.ts";
import { changedMeanwhileText } from "../../src/bubblewrap/gatekeeper.ts";
import { runLaunch } from "../../src/backend/testing/index.ts";
import { commandIn, makeWorld, run, type World } from "./world.ts";

const backend = bubblewrapBackend();
let world: World;
beforeEach(() => (world = makeWorld()));
afterEach(() => world.remove());
afterAll(() => backend.close());

const tries = process.env["FENCEPOST_DEEP"] === "1" ? 400 : 40;

/** Exchanges a directory and a link for as long as it lives. */
const exchange = "const { renameSync } = require('node:fs'); const [a, b] = process.argv.slice(1); for (;;) { for (const [from, to] of [[a, 'aside'], [b, a], ['aside', b]]) try { renameSync(from, to) } catch {} const until = performance.now() + Math.random() * 6; while (performance.now() < until); }";

describe.runIf(process.platform === "linux")("what moves while a sandbox is being set up", () => {
  it("[P5] [P7] a workspace that another session exchanges for a link leads no command elsewhere", async () => {
    const [inner, link, secrets] = [join(world.workspace, "inner"), join(world.workspace, "link"), join(world.home, ".ssh")];
    for (const directory of [inner, join(inner, ".git"), secrets]) mkdirSync(directory);
    writeFileSync(join(secrets, "key"), "the-secret\n");
    symlinkSync(secrets, link);
    const policy = world.policy({ workspaceRoot: inner });
    const mover = spawn(process.execPath, ["-e", exchange, "inner", "link"], { cwd: world.workspace, stdio: "ignore" });
    try {
      for (let turn = 0; turn < tries; turn += 1) {
        const command = commandIn(world, `echo x > ${secrets}/new; cat ${secrets}/key; cat .git/key; echo x > ${JSON.stringify(join(world.workspace, "beside"))}; echo done`, { policy, workingDirectory: inner });
        const ended = await run(backend, command).catch((error: unknown) => ({ ran: false, output: String(error) }));
        expect(ended.output).not.toContain("the-secret");
        expect(readdirSync(secrets)).toEqual(["key"]);
        expect(existsSync(join(world.workspace, "beside"))).toBe(false);
      }
    } finally {
      mover.kill("SIGKILL");
    }
    await once(mover, "exit");
    // In peace again, the same command runs: what was refused was refused for the exchange.
    const kept = join(world.workspace, "kept");
    for (const path of [inner, link, join(world.workspace, "aside")]) if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true) renameSync(path, kept);
    for (const path of [inner, link, join(world.workspace, "aside")]) rmSync(path, { force: true });
    renameSync(kept, inner);
    expect(await run(backend, commandIn(world, "echo done", { policy, workingDirectory: inner }))).toMatchObject({ ran: true, output: "done\n" });
  }, 120_000);

  it("[P5] a workspace that has become a link before the call is refused, and nothing is started", async () => {
    const inner = join(world.workspace, "inner");
    mkdirSync(inner);
    const policy = world.policy({ workspaceRoot: inner });
    renameSync(inner, join(world.workspace, "moved"));
    symlinkSync(world.outside, inner);
    const answer = await backend.prepare(commandIn(world, "echo x > new", { policy, workingDirectory: inner }));
    expect(answer).toMatchObject({ refused: true });
    expect(answer.refused && answer.message).toContain("is no longer the place it was");
    expect(readdirSync(world.outside)).toEqual([]);
  });

  it.each([
    ["by a link", (inner: string) => symlinkSync(world.outside, inner)],
    ["by a file", (inner: string) => writeFileSync(inner, "")],
  ])("[P5] one that is replaced %s between planning and starting is refused, and nothing is written", async (_, replace) => {
    const inner = join(world.workspace, "inner");
    mkdirSync(inner);
    const launch = await backend.prepare(commandIn(world, "echo x > new", { policy: world.policy({ workspaceRoot: inner }), workingDirectory: inner }));
    renameSync(inner, join(world.workspace, "moved"));
    replace(inner);
    const ended = await (await runLaunch({ ...backend, prepare: async () => launch }, commandIn(world, ""))).done;
    expect(ended).toMatchObject({ ran: false, gone: true, exitCode: null, signal: null });
    // The runner may fail by itself before it is looked at, as where the link's target has not all that was planned.
    if (ended.notes[0] !== undefined) expect(ended.notes[0]).toContain("was moved or replaced while its sandbox was being set up");
    expect(ended.classify("")).toBe("runner_failed");
    for (const directory of [world.outside, join(world.workspace, "moved")]) expect(readdirSync(directory)).toEqual([]);
  });

  it.each([
    ["the workspace is another directory", (inner: string) => (renameSync(inner, join(world.workspace, "moved")), mkdirSync(join(inner, ".git"), { recursive: true }))],
    // The runner follows it, so that the protection lies elsewhere.
    ["a protected directory is a link", (inner: string) => (renameSync(join(inner, ".git"), join(world.workspace, "moved")), symlinkSync("../../outside", join(inner, ".git")))],
  ])("[P5] a sandbox that the runner sets up, and in which %s, is refused at the gate: the command never runs", async (_, replace) => {
    const inner = join(world.workspace, "inner");
    mkdirSync(join(inner, ".git"), { recursive: true });
    const launch = await backend.prepare(commandIn(world, "echo started; echo x > new", { policy: world.policy({ workspaceRoot: inner }), workingDirectory: inner }));
    replace(inner);
    const ended = await (await runLaunch({ ...backend, prepare: async () => launch }, commandIn(world, ""))).done;
    expect(ended).toMatchObject({ ran: false, gone: true, exitCode: null, signal: null, output: "", notes: [changedMeanwhileText] });
    expect(ended.classify("")).toBe("runner_failed");
    expect(existsSync(join(inner, "new"))).toBe(false);
  });
});
