import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLocalSpillDirectory } from "../../src/spill/local-spill-directory.ts";
import { maxSpillFileBytes } from "../../src/spill/spill-directory.ts";
import { maxSpillAgeMs, removeSessionSpill, removeStaleSpills } from "../../src/spill/remove-spills.ts";
import { spillName } from "../../src/spill/spill-name.ts";

let stateHome: string;

beforeEach(() => {
  stateHome = join(realpathSync(mkdtempSync(join(tmpdir(), "fencepost-spill-"))), "state");
});

afterEach(() => rmSync(dirname(stateHome), { recursive: true, force: true }));

function permissions(path: string): number {
  return lstatSync(path).mode & 0o777;
}

describe("a spill file", () => {
  it("[T26] is the owner's alone, in directories that are, whatever the umask", async () => {
    const before = process.umask(0);
    try {
      const writer = createLocalSpillDirectory(stateHome, "s").open("c");
      writer.write("one ");
      writer.write(Buffer.from("two"));
      const file = await writer.finish();
      expect(file).toEqual({ path: join(stateHome, "spill/s/c.txt"), capped: false });
      expect(readFileSync(file?.path ?? "", "utf8")).toBe("one two");
      expect([file?.path ?? "", join(stateHome, "spill/s"), join(stateHome, "spill")].map(permissions)).toEqual([0o600, 0o700, 0o700]);
    } finally {
      process.umask(before);
    }
  });

  it("[T26] does not exist before its first byte, nor without one", async () => {
    const writer = createLocalSpillDirectory(stateHome, "s").open("c");
    writer.write("");
    expect(await writer.finish()).toBeUndefined();
    expect(existsSync(stateHome)).toBe(false);
  });

  it("[T15] stops at its cap, on a whole character, and says so", async () => {
    expect(maxSpillFileBytes).toBe(67_108_864);
    for (const text of ["abcdefgh", "aé€😀aé€😀", "ééé", "€€€", "😀😀"]) {
      for (let cap = 1; cap <= Buffer.byteLength(text); cap++) {
        const writer = createLocalSpillDirectory(stateHome, text.length.toString(), cap).open(`${text}-${cap}`);
        for (const byte of Buffer.from(text)) writer.write(Buffer.from([byte]));
        const file = await writer.finish();
        const kept = readFileSync(file?.path ?? "");
        expect(file?.capped).toBe(cap < Buffer.byteLength(text));
        expect(text.startsWith(kept.toString("utf8"))).toBe(true);
        expect(kept.length).toBeGreaterThan(cap - 4);
      }
    }
  });

  it("[T27] that was discarded is gone, and discarding twice is nothing", async () => {
    const writer = createLocalSpillDirectory(stateHome, "s").open("c");
    writer.write("x");
    await writer.discard();
    await writer.discard();
    writer.write("y");
    expect(await writer.finish()).toBeUndefined();
    expect(readdirSync(join(stateHome, "spill/s"))).toEqual([]);
  });

  it("[T27] that cannot be made is no error: there is just no path", async () => {
    writeFileSync(stateHome, "a file in the way");
    const writer = createLocalSpillDirectory(stateHome, "s").open("c");
    writer.write("x");
    expect(await writer.finish()).toBeUndefined();
  });

  it("[T26] goes through no link: not of the directory, not of the file", async () => {
    const elsewhere = join(dirname(stateHome), "elsewhere");
    mkdirSync(elsewhere);
    mkdirSync(join(stateHome, "spill"), { recursive: true });
    symlinkSync(elsewhere, join(stateHome, "spill/linked"));
    const throughDirectory = createLocalSpillDirectory(stateHome, "linked").open("c");
    throughDirectory.write("x");
    expect(await throughDirectory.finish()).toBeUndefined();
    mkdirSync(join(stateHome, "spill/s"));
    symlinkSync(join(elsewhere, "f"), join(stateHome, "spill/s/c.txt"));
    const beside = createLocalSpillDirectory(stateHome, "s").open("c");
    beside.write("x");
    expect((await beside.finish())?.path).toBe(join(stateHome, "spill/s/c-2.txt"));
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it("[T26] never overwrites: ids that become one name get files of their own", async () => {
    const spill = createLocalSpillDirectory(stateHome, "s");
    const paths: (string | undefined)[] = [];
    for (const id of ["a/b", "a.b", "a b"]) {
      const writer = spill.open(id);
      writer.write(id);
      paths.push((await writer.finish())?.path);
    }
    expect(paths.map((path) => readFileSync(path ?? "", "utf8"))).toEqual(["a/b", "a.b", "a b"]);
    expect(paths.map((path) => path?.slice(spill.path.length + 1))).toEqual(["a_b.txt", "a_b-2.txt", "a_b-3.txt"]);
  });

  it("tightens a directory that had grown open", async () => {
    mkdirSync(join(stateHome, "spill/s"), { recursive: true });
    chmodSync(join(stateHome, "spill/s"), 0o755);
    const writer = createLocalSpillDirectory(stateHome, "s").open("c");
    writer.write("x");
    await writer.finish();
    expect(permissions(join(stateHome, "spill/s"))).toBe(0o700);
  });
});

it("an id as a name keeps letters, digits, _ and -, and fits a file system", () => {
  expect(["../../etc", "", "..", "Az09_-", "é\n"].map(spillName)).toEqual(["______etc", "_", "__", "Az09_-", "__"]);
  const [one, two] = ["x".repeat(300), `${"x".repeat(300)}y`].map(spillName);
  expect(one?.length).toBeLessThanOrEqual(200);
  expect(one).not.toBe(two);
});

function spilled(session: string, ageMs: number): string {
  const directory = join(stateHome, "spill", session);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "c.txt"), "x");
  const then = new Date(Date.now() - ageMs);
  for (const path of [join(directory, "c.txt"), directory]) utimesSync(path, then, then);
  return directory;
}

describe("removing", () => {
  it("a session takes its own directory only", () => {
    const [mine, other] = [spilled("mine", 0), spilled("other", 0)];
    removeSessionSpill(stateHome, "mine");
    removeSessionSpill(stateHome, "never was");
    expect([existsSync(mine), existsSync(other)]).toEqual([false, true]);
  });

  it("at start takes what nobody touched for 7 days, by the newest file in it, and follows no link", () => {
    expect(maxSpillAgeMs).toBe(604_800_000);
    const [stale, fresh, alive] = [spilled("stale", maxSpillAgeMs + 60_000), spilled("fresh", maxSpillAgeMs - 60_000), spilled("alive", maxSpillAgeMs * 2)];
    const then = new Date(Date.now() - maxSpillAgeMs * 2);
    writeFileSync(join(alive, "new.txt"), "x");
    utimesSync(alive, then, then);
    const outside = join(dirname(stateHome), "outside");
    mkdirSync(outside);
    utimesSync(outside, then, then);
    symlinkSync(outside, join(stateHome, "spill/link"));
    removeStaleSpills(stateHome);
    expect([stale, fresh, alive, outside].map((path) => existsSync(path))).toEqual([false, true, true, true]);
    removeStaleSpills(join(stateHome, "none"));
  });
});
