import { existsSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listQuarantine } from "../../src/index.ts";
import { ownProcess } from "../../src/backend/process-identity.ts";
import { ProtectedScanner } from "../../src/backend/protected-scan.ts";
import { LiveRegistry } from "../../src/quarantine/live-registry.ts";
import { WorkspaceGuard, type Findings } from "../../src/quarantine/workspace-guard.ts";
import { commandIn, makeWorld, type World } from "../bubblewrap/world.ts";

let world: World;
beforeEach(() => (world = makeWorld()));
afterEach(() => world.remove());

const at = (path: string): string => join(world.workspace, path);
const live = (): string => join(world.environment.stateHome, "sandbox/live");
/** A pid that no process has: the largest is 2^22. */
const dead = { ...ownProcess(), pid: 2 ** 22 + 1 };

function found(): Findings {
  const { entries, missing } = new ProtectedScanner().scan(world.policy());
  return { present: entries.map(({ path }) => path), missing, verified: [], mounted: [] };
}

function guard(scanner = new ProtectedScanner()): WorkspaceGuard {
  return new WorkspaceGuard(world.environment.stateHome, scanner);
}

/** A command as a host leaves it that is killed while the command runs. */
function abandonedByHost(): void {
  const one = guard();
  const command = commandIn(world, "");
  const watched = one.watch(command, one.open(command), found());
  if ("limit" in watched) throw new Error(watched.limit);
  watched.stop();
  new LiveRegistry(world.environment.stateHome).put({ ...watched.live, host: dead, init: dead });
}

const names = (): readonly string[] => readdirSync(live()).toSorted();

describe.runIf(process.platform === "linux")("behind a host that was killed", () => {
  it("[P51] who dies, or fails, over the sweep leaves it to the next", async () => {
    abandonedByHost();
    writeFileSync(at(".envrc"), "evil\n");
    const failing = new ProtectedScanner();
    failing.scan = () => {
      throw new Error("a broken disk");
    };
    await expect(guard(failing).recover()).rejects.toThrow("a broken disk");
    expect([existsSync(at(".envrc")), names().length]).toEqual([true, 1]);

    // One that was killed in the midst of it has left its claim.
    const [record] = names();
    writeFileSync(join(live(), `${record?.replace(".json", ".recovery")}`), JSON.stringify(dead));
    await guard().recover();
    expect([existsSync(at(".envrc")), names()]).toEqual([false, []]);
    expect(listQuarantine(world.environment.stateHome).map(({ path }) => path)).toEqual([at(".envrc")]);
  });

  it("[P51] one sweeps, and nobody a second time", async () => {
    abandonedByHost();
    const [record] = names();
    writeFileSync(join(live(), `${record?.replace(".json", ".recovery")}`), JSON.stringify(ownProcess()));
    writeFileSync(at(".envrc"), "evil\n");
    await guard().recover();
    expect([existsSync(at(".envrc")), names().length]).toEqual([true, 2]);
    expect(new LiveRegistry(world.environment.stateHome).claim(record?.replace(".json", "") ?? "")).toBe(false);
  });
});

describe.runIf(process.platform === "linux")("a command that starts and ends while another one is being prepared", () => {
  it("[P50] what it made and was moved away behind it cannot be made anew by the other", async () => {
    const one = guard();
    const [first, second] = [commandIn(world, ""), commandIn(world, "")];
    const opened = one.open(first);
    // The other comes, makes a protected name, which the first one's look at the workspace meets, and is gone again.
    const other = guard();
    const neighbour = other.watch(second, other.open(second), found());
    if ("limit" in neighbour) throw new Error(neighbour.limit);
    writeFileSync(at(".envrc"), "of the other\n");
    const seen = found();
    expect((await neighbour.ended(true)).violated).toBe(true);
    expect(existsSync(at(".envrc"))).toBe(false);

    const watched = one.watch(first, opened, seen);
    if ("limit" in watched) throw new Error(watched.limit);
    writeFileSync(at(".envrc"), "evil\n");
    expect((await watched.ended(true)).violated).toBe(true);
    expect(existsSync(at(".envrc"))).toBe(false);
    expect(names()).toEqual([]);
  });

  it("[P50] what the user makes after it has gone is the user's", async () => {
    const one = guard();
    const [first, second] = [commandIn(world, ""), commandIn(world, "")];
    const longRunning = one.watch(first, one.open(first), found());
    const short = one.watch(second, one.open(second), found());
    if ("limit" in longRunning || "limit" in short) throw new Error("limit");
    await short.ended(true);
    const departed = names().find((name) => name.endsWith(".departed")) ?? "";
    const [id = ""] = departed.split(".");
    renameSync(join(live(), departed), join(live(), `${id}.${Date.now() - 1}.departed`));
    expect(new LiveRegistry(world.environment.stateHome).departed(world.workspace, Date.now())).toEqual([]);
    await longRunning.ended(true);
    expect(names()).toEqual([]);
  });
});
