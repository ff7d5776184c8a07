import { chmodSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bubblewrapBackend } from "../../src/index.ts";
import { toBytes } from "../../src/backend/byte-path.ts";
import { socketMasks } from "../../src/bubblewrap/sockets.ts";
import { runLaunch } from "../../src/backend/testing/index.ts";
import { commandIn, makeWorld, run, type Ran, type World } from "./world.ts";

// Sockets are seen by the whole machine: as many as the real limits would stop commands of other tests.
const limits = vi.hoisted(() => ({ listening: 256, directory: 4 }));
vi.mock("../../src/limits.ts", async (original) => ({
  ...(await original<typeof import("../../src/limits.ts")>()),
  get maxListeningSockets() {
    return limits.listening;
  },
  get maxDirectorySockets() {
    return limits.directory;
  },
}));

let world: World;
const servers: Server[] = [];
beforeEach(() => {
  world = makeWorld();
  // A socket's path has room for about a hundred bytes.
  mkdirSync(join(world.temp, "sock"));
});
afterEach(async () => {
  limits.listening = 256;
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  world.remove();
});

async function listen(count: number): Promise<readonly string[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => new Promise<string>((resolve) => {
    const path = join(world.temp, "sock", String(index));
    const server = createServer().listen(path, () => resolve(path));
    servers.push(server);
  })));
}

async function listenAt(path: string): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer();
    servers.push(server.listen(path, () => resolve(server)));
  });
}

/** Runs `echo ran` in a sandbox that was planned while somebody listened at the path, and nobody does any more. */
async function runOnceGone(path: string): Promise<Ran> {
  const backend = bubblewrapBackend();
  const server = await listenAt(path);
  const launch = await backend.prepare(commandIn(world, "echo ran"));
  await new Promise((resolve) => server.close(resolve));
  expect(existsSync(path)).toBe(false);
  const running = await runLaunch({ ...backend, prepare: async () => launch }, commandIn(world, ""));
  const ended = await running.done;
  await backend.close();
  return ended;
}

/** A script that tries to reach whoever listens there. */
const connect = (to: string): string => `node -e 'require("net").connect(process.argv[1]).on("connect", () => { console.log("reached"); process.exit() }).on("error", (error) => console.log(error.code))' '${to}'`;

const masks = () => socketMasks([world.workspace], [world.temp], undefined);

describe.runIf(process.platform === "linux")("sockets that lead out of the sandbox", () => {
  it("[D-45] are masked, also where others stand before them", async () => {
    const paths = await listen(limits.directory + 10);
    const found = masks();
    expect("limit" in found ? [] : paths.filter((path) => !found.sockets.includes(path))).toEqual([]);
  });

  it("[D-45] are masked deep below names that are not ASCII, too", async () => {
    const path = join(world.temp, "sock", "\u00fc", "a", "s");
    mkdirSync(dirname(path), { recursive: true });
    await new Promise<void>((resolve) => servers.push(createServer().listen(path, resolve)));
    expect(masks()).toMatchObject({ sockets: expect.arrayContaining([toBytes(path)]) });
  });

  it("[D-45] [D-41] one that goes away before it is covered keeps no command from running, and nothing is left in its place", async () => {
    const path = join(world.temp, "sock", "s");
    expect(await runOnceGone(path)).toMatchObject({ ran: true, exitCode: 0, output: "ran\n", notes: [] });
    expect(existsSync(path)).toBe(false);
  });

  it("[D-45] where nothing can be covered in its place, nothing runs, and the result says to call again", async () => {
    const ended = await runOnceGone(join(world.outside, "s"));
    expect(ended).toMatchObject({ ran: false, gone: true, exitCode: null, notes: [expect.stringContaining("a socket that had to be hidden from it went away")] });
    expect(ended.output).not.toContain("ran\n");
    expect(ended.classify("")).toBe("runner_failed");
  });

  it("[D-45] more than can be masked, and no command runs: none stays open in silence", async () => {
    const backend = bubblewrapBackend();
    expect(await backend.probe()).toEqual({ available: true });
    limits.listening = 3;
    await listen(limits.listening + 1);
    expect(await backend.prepare(commandIn(world, "true"))).toMatchObject({ refused: true, kind: "limit", message: expect.stringContaining(`more than the limit of 3`) });
    await backend.close();
    expect(readdirSync(join(world.environment.stateHome, "sandbox/live"))).toEqual([]);
  });

  it("[D-45] stay masked for the next command, whatever one did to the directory they are in", async () => {
    const backend = bubblewrapBackend();
    const directory = join(world.temp, "agent");
    const path = join(directory, "s");
    mkdirSync(directory, { mode: 0o700 });
    await listenAt(path);
    const env = { PATH: process.env["PATH"] ?? "", HOME: world.home, TMPDIR: world.temp };
    const inSandbox = async (script: string): Promise<string> => (await run(backend, commandIn(world, script, { env }))).output;
    expect(await inSandbox(`mv '${directory}' '${world.temp}/elsewhere'; ${connect(path)}`)).toMatch(/busy[^]*EACCES/);
    await inSandbox(`chmod 000 '${directory}'`);
    expect(await inSandbox(`chmod 700 '${directory}'; ${connect(path)}`)).toMatch(/Read-only[^]*EACCES/);
    chmodSync(directory, 0o700);
    expect(await inSandbox(connect(path))).toContain("EACCES");
    chmodSync(world.temp, 0);
    expect(await backend.prepare(commandIn(world, "true"))).toMatchObject({ refused: true, kind: "limit", message: expect.stringContaining("closed even to its owner") });
    chmodSync(world.temp, 0o755);
    await backend.close();
  });
});
