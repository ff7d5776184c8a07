import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bubblewrapBackend } from "../../src/index.ts";
import { endWaitingOrphans } from "../../src/bubblewrap/waiting-orphans.ts";
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

const hearingMs = 50;

async function until(done: () => boolean): Promise<void> {
  while (!done()) await delay(pollMs);
}

describe.runIf(process.platform === "linux")("a host that is killed while a sandbox is being set up", () => {
  it("[P54] leaves no process waiting for it", async () => {
    const host = spawnHost(commandIn(world, `sleep 60 # ${world.workspace}`));
    const ended = once(host, "exit");
    // The runner has made process 1 of the sandbox, which does not yet end with it.
    await until(() => processes().some(({ parent }) => parent !== host.pid));
    // The host hears of its runner a moment later.
    await delay(hearingMs);
    host.kill("SIGKILL");
    await ended;
    await until(() => processes().length === 0);
  });

  it("[P54] leaves none either where it had no time to hear of its runner", async () => {
    const host = spawnHost(commandIn(world, `sleep 60 # ${world.workspace}`), new URL("dying-host.ts", import.meta.url));
    await once(host, "exit");
    expect(host.signalCode).toBe("SIGKILL");
    await until(() => processes().length === 0);
  });

  it("[P54] what waits at its gate without a runner is ended by the next host, and nothing else", async () => {
    const backend = bubblewrapBackend();
    const launch = await backend.prepare(commandIn(world, `true # ${world.workspace}`));
    if (launch.refused) throw new Error(launch.message);
    const stdio = launch.descriptors.map((descriptor) => (descriptor === "status" ? "pipe" : descriptor));
    const runner = spawn(launch.file, [...launch.args], { stdio: ["ignore", "ignore", "ignore", ...stdio], env: {}, cwd: "/" });
    const ended = once(runner, "exit");
    const waiting = (): boolean => processes().some(({ pid, parent }) => parent !== process.pid && pid !== runner.pid && readFileSync(`/proc/${pid}/status`, "utf8").includes("CapEff:\t0000000000000000"));
    await until(waiting);
    endWaitingOrphans();
    await delay(pollMs);
    expect(processes().length).toBe(2);
    runner.kill("SIGKILL");
    await ended;
    await until(() => processes().length === 1);
    endWaitingOrphans();
    await until(() => processes().length === 0);
    await launch.settle({ code: null, signal: "SIGKILL" });
    await backend.close();
  });
});
