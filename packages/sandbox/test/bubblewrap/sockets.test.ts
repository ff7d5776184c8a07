import { mkdirSync, readdirSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bubblewrapBackend } from "../../src/index.ts";
import { toBytes } from "../../src/backend/byte-path.ts";
import { socketMasks } from "../../src/bubblewrap/sockets.ts";
import { maxDirectorySockets, maxListeningSockets } from "../../src/limits.ts";
import { commandIn, makeWorld, type World } from "./world.ts";

let world: World;
const servers: Server[] = [];
beforeEach(() => {
  world = makeWorld();
  // A socket's path has room for about a hundred bytes.
  mkdirSync(join(world.temp, "sock"));
});
afterEach(async () => {
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

const masks = () => socketMasks([world.workspace], [world.temp], undefined);

describe.runIf(process.platform === "linux")("sockets that lead out of the sandbox", () => {
  it("[D-45] are masked, also where others stand before them", async () => {
    const paths = await listen(maxDirectorySockets + 10);
    const found = masks();
    expect("limit" in found ? [] : paths.filter((path) => !found.sockets.includes(path))).toEqual([]);
  });

  it("[D-45] are masked deep below names that are not ASCII, too", async () => {
    const path = join(world.temp, "sock", "\u00fc", "a", "s");
    mkdirSync(dirname(path), { recursive: true });
    await new Promise<void>((resolve) => servers.push(createServer().listen(path, resolve)));
    expect(masks()).toMatchObject({ sockets: expect.arrayContaining([toBytes(path)]) });
  });

  it("[D-45] more than can be masked, and no command runs: none stays open in silence", async () => {
    const backend = bubblewrapBackend();
    expect(await backend.probe()).toEqual({ available: true });
    await listen(maxListeningSockets + 1);
    expect(await backend.prepare(commandIn(world, "true"))).toMatchObject({ refused: true, kind: "limit", message: expect.stringContaining(`more than the limit of ${maxListeningSockets}`) });
    await backend.close();
    expect(readdirSync(join(world.environment.stateHome, "sandbox/live"))).toEqual([]);
  });
});
