import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { listQuarantine, protectedWrites } from "../../src/index.ts";
import { toBytes } from "../../src/backend/byte-path.ts";
import { ownProcess, type ProcessIdentity } from "../../src/backend/process-identity.ts";
import { identify } from "../../src/bubblewrap/sandbox-processes.ts";
import { ProtectedScanner } from "../../src/backend/protected-scan.ts";
import { LiveRegistry } from "../../src/quarantine/live-registry.ts";
import type { WatchedCommand } from "../../src/quarantine/watched-command.ts";
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

/** A command that runs, as far as the guard can tell. */
function watching(one: WorkspaceGuard): WatchedCommand {
  const command = commandIn(world, "");
  const watched = one.watch(command, one.open(command), found());
  if ("limit" in watched) throw new Error(watched.limit);
  return watched;
}

/** A command as a host leaves it that is killed while the command runs. */
function abandonedByHost(init: ProcessIdentity = dead): void {
  const watched = watching(guard());
  watched.stop();
  new LiveRegistry(world.environment.stateHome).replace({ ...watched.live, host: dead, init });
}

const names = (): readonly string[] => readdirSync(live()).toSorted();

/** The host's last sign of life was so long ago. */
const lastBeat = (agoMs: number): void => {
  const [record] = names();
  const then = new Date(Date.now() - agoMs);
  utimesSync(join(live(), record ?? ""), then, then);
};

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

  it("[P51] a directory that was closed on the way to a protected file stops neither the sweep nor later commands", async () => {
    world.file("a/.env", "A=1\n");
    const one = guard();
    const command = commandIn(world, "");
    const watched = one.watch(command, one.open(command), { ...found(), verified: [at("a/.env")].map(toBytes) });
    if ("limit" in watched) throw new Error(watched.limit);
    watched.stop();
    new LiveRegistry(world.environment.stateHome).replace({ ...watched.live, host: dead, init: dead });
    writeFileSync(at("a/.env"), "A=2\n");
    writeFileSync(at(".envrc"), "evil\n");
    chmodSync(at("a"), 0);
    await guard().recover();
    expect(statSync(at("a")).mode & 0o777).toBe(0);
    chmodSync(at("a"), 0o700);
    expect([existsSync(at(".envrc")), readFileSync(at("a/.env"), "utf8"), names()]).toEqual([false, "A=1\n", []]);
  });

  it("[P51] what has outlived it is ended first", async () => {
    const survivor = spawn("sleep", ["60"], { stdio: "ignore" });
    const ended = once(survivor, "exit");
    abandonedByHost(identify(survivor.pid ?? 0));
    writeFileSync(at(".envrc"), "evil\n");
    await guard().recover();
    expect(await ended).toEqual([null, "SIGKILL"]);
    expect([existsSync(at(".envrc")), names()]).toEqual([false, []]);
  });

  it("[P51] what cannot be ended keeps its record, and is swept behind all the same", async () => {
    const survivor = spawn("sleep", ["60"], { stdio: "ignore" });
    const ended = once(survivor, "exit");
    const kill = process.kill.bind(process);
    // One that waits for a disk takes no signal.
    vi.spyOn(process, "kill").mockImplementation((pid, signal) => (signal === "SIGKILL" ? true : kill(pid, signal)));
    abandonedByHost(identify(survivor.pid ?? 0));
    writeFileSync(at(".envrc"), "evil\n");
    await guard().recover();
    vi.restoreAllMocks();
    expect([existsSync(at(".envrc")), names().length]).toEqual([false, 1]);
    await guard().recover();
    expect(await ended).toEqual([null, "SIGKILL"]);
    expect(names()).toEqual([]);
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

describe.runIf(process.platform === "linux")("what the user makes after a host was killed", () => {
  it("[P51] stays where it is, and the next result says so, in whatever workspace", async () => {
    abandonedByHost();
    lastBeat(60_000);
    mkdirSync(at(".git"));
    writeFileSync(at(".env"), "TOKEN=mine\n");
    const next = guard();
    await next.recover();
    expect([existsSync(at(".git")), existsSync(at(".env"))]).toEqual([true, true]);
    const { notes, violated } = await watching(next).ended(true);
    expect(violated).toBe(false);
    expect(notes.join("\n")).toContain(`behind a run in ${world.workspace} whose host was killed: 2 protected paths are newer than the run and were left as they are: .env, .git`);
  });

  it("[P51] what the command made before does not, and the next result says that too", async () => {
    abandonedByHost();
    writeFileSync(at(".envrc"), "evil\n");
    const next = guard();
    await next.recover();
    expect(existsSync(at(".envrc"))).toBe(false);
    const { notes } = await watching(next).ended(true);
    expect(notes.join("\n")).toMatch(/whose host was killed: 1 new protected paths were moved to .*: \.envrc/);
  });

  it("[P51] a command that outlived its host may have made what is newer", async () => {
    abandonedByHost();
    const [record] = names();
    const file = join(live(), record ?? "");
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), givenUp: true }));
    lastBeat(60_000);
    writeFileSync(at(".envrc"), "evil\n");
    await guard().recover();
    expect(existsSync(at(".envrc"))).toBe(false);
  });
});

describe.runIf(process.platform === "linux")("a command that starts and ends while another one is being prepared", () => {
  it("[P50] what it made and was moved away behind it cannot be made anew by the other", async () => {
    const one = guard();
    const first = commandIn(world, "");
    const opened = one.open(first);
    // The other comes, makes a protected name, which the first one's look at the workspace meets, and is gone again.
    const neighbour = watching(guard());
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
    const preparing = one.open(commandIn(world, ""));
    await watching(one).ended(true);
    const departed = names().find((name) => name.endsWith(".departed")) ?? "";
    const [id = ""] = departed.split(".");
    renameSync(join(live(), departed), join(live(), `${id}.${Date.now() - 1}.departed`));
    expect(new LiveRegistry(world.environment.stateHome).departed(world.workspace, Date.now())).toEqual([]);
    one.abandon(preparing);
    expect(names()).toEqual([]);
  });

  it("[P50] it is remembered for those that are being prepared, and not for as long as any command lives", async () => {
    const one = guard();
    const background = watching(one);
    for (let count = 0; count < 3; count += 1) await watching(one).ended(true);
    expect(names()).toHaveLength(1);
    const preparing = one.open(commandIn(world, ""));
    await watching(one).ended(true);
    expect(names().filter((name) => name.endsWith(".departed"))).toHaveLength(1);
    one.abandon(preparing);
    expect(names()).toHaveLength(1);
    await background.ended(true);
    expect(names()).toEqual([]);
  });
});

describe.runIf(process.platform === "linux")("a command that has ended and that nobody has swept behind yet", () => {
  it("[P50] what it made is not known to one that starts meanwhile", async () => {
    const one = guard();
    const first = watching(one);
    new LiveRegistry(world.environment.stateHome).replace({ ...first.live, init: dead });
    writeFileSync(at(".envrc"), "of the first\n");
    const second = watching(one);
    expect((await first.ended(true)).violated).toBe(true);
    writeFileSync(at(".envrc"), "evil\n");
    expect((await second.ended(true)).violated).toBe(true);
    expect(existsSync(at(".envrc"))).toBe(false);
  });

  it("[P51] nor where its host was killed, and another process is about to sweep", async () => {
    abandonedByHost();
    writeFileSync(at(".envrc"), "of the first\n");
    const second = watching(guard());
    await guard().recover();
    writeFileSync(at(".envrc"), "evil\n");
    expect((await second.ended(true)).violated).toBe(true);
    expect(existsSync(at(".envrc"))).toBe(false);
  });

  it("[P51] one that could not be ended in time is swept behind once it has", async () => {
    const one = guard();
    const stuck = watching(one);
    stuck.started(() => dead);
    await stuck.ended(false);
    writeFileSync(at(".envrc"), "of its last moment\n");
    await one.recover();
    expect([existsSync(at(".envrc")), names()]).toEqual([false, []]);
  });
});

describe.runIf(process.platform === "linux")("a state home that does not take everything", () => {
  it("[P50] what cannot be told to a neighbour is told to the own model all the same", async () => {
    const one = guard();
    const [first, second] = [watching(one), watching(one)];
    mkdirSync(join(live(), `${first.live.id}.marks`));
    writeFileSync(at(".envrc"), "evil\n");
    expect(await second.ended(true)).toMatchObject({ violated: true, notes: [expect.stringContaining("1 new protected paths were moved to")] });
    rmSync(join(live(), `${first.live.id}.marks`), { recursive: true });
    await first.ended(true);
  });

  it("[P50] a directory that somebody left without a record stops nothing", async () => {
    const watched = watching(guard());
    mkdirSync(join(watched.quarantine.directory, "1"), { recursive: true });
    writeFileSync(at(".envrc"), "evil\n");
    expect(await watched.ended(true)).toMatchObject({ notes: [expect.stringContaining("1 new protected paths were moved to")] });
    expect(listQuarantine(world.environment.stateHome).map(({ path }) => path)).toEqual([at(".envrc")]);
  });

  it("[P51] removed while a session lives, it is made again for the next command", async () => {
    const one = guard();
    await watching(one).ended(true);
    rmSync(join(world.environment.stateHome, "sandbox"), { recursive: true });
    const next = watching(one);
    writeFileSync(at(".envrc"), "evil\n");
    expect((await next.ended(true)).violated).toBe(true);
  });
});

describe.runIf(process.platform === "linux")("a file that somebody who may has removed while a command runs", () => {
  it("[P50] may not come back with whatever content", async () => {
    const running = watching(guard());
    protectedWrites(world.policy()).written(at(".envrc"));
    writeFileSync(at(".envrc"), "evil\n");
    const { violated } = await running.ended(true);
    expect([violated, existsSync(at(".envrc"))]).toEqual([true, false]);
  });
});
