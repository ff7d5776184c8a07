import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, it } from "vitest";
import { spawnHost } from "../quarantine/spawn-host.ts";
import { commandIn, makeWorld, type World } from "./world.ts";

let world: World;
beforeEach(() => (world = makeWorld()));
afterEach(() => world.remove());

/** Processes whose command line names the world. */
function processes(): readonly { readonly pid: number; readonly parent: number }[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const text = readFileSync(`/proc/${name}/cmdline`, "latin1");
        const parent = Number(/^PPid:\t(\d+)/m.exec(readFileSync(`/proc/${name}/status`, "utf8"))?.[1]);
        return text.includes(world.workspace) && !text.startsWith(process.execPath) ? [{ pid: Number(name), parent }] : [];
      } catch {
        return [];
      }
    });
}

const pollMs = 5;

async function until(done: () => boolean): Promise<void> {
  while (!done()) await delay(pollMs);
}

describe.runIf(process.platform === "linux")("a host that is killed while a sandbox is being set up", () => {
  it("[P54] leaves no process waiting for it", async () => {
    const host = spawnHost(commandIn(world, `sleep 60 # ${world.workspace}`));
    const ended = once(host, "exit");
    // The runner has made process 1 of the sandbox, which does not yet end with it.
    await until(() => processes().some(({ parent }) => parent !== host.pid));
    host.kill("SIGKILL");
    await ended;
    await until(() => processes().length === 0);
  });
});
