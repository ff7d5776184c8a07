import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, linkSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createLocalFileWork } from "../../src/files/local/local-file-work.ts";
import { isTemporaryName } from "../../src/files/temporary-name.ts";
import { bundleProcess } from "./bundle-process.ts";
import { makeFilePlace, openFileSession, type FilePlace } from "./file-session.ts";

const deep = process.env["FENCEPOST_DEEP"] === "1";

/** How often a writer is killed. */
const kills = deep ? 500 : 12;

const timeoutMs = deep ? 1_800_000 : 120_000;

let place: FilePlace;
let bundle: string;
let script: string;

beforeAll(async () => {
  bundle = mkdtempSync(join(tmpdir(), "fencepost-writer-"));
  script = await bundleProcess("writer-process", bundle);
});

afterAll(() => rmSync(bundle, { recursive: true, force: true }));

beforeEach(() => {
  place = makeFilePlace();
});

afterEach(() => place.remove());

function startWriter(...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [script, place.root, ...args], { stdio: ["ignore", "pipe", "inherit"] });
}

/** One text repeated, or empty: anything else is a mix of two. */
function isWhole(text: string): boolean {
  const lines = text.split("\n").slice(0, -1);
  return lines.length === 2000 && new Set(lines).size === 1;
}

function filesBelow(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [] : [join(entry.parentPath, entry.name).slice(directory.length + 1)]));
}

/** A writer makes the directory of each new file. */
function newFiles(): readonly string[] {
  const directories = readdirSync(place.workspace).filter((name) => name.startsWith("new-"));
  return directories.map((name) => join(name, "n.txt"));
}

function leftInState(): readonly string[] {
  return ["locks", "journal"].flatMap((directory) => filesBelow(join(place.home, ".fencepost", directory)));
}

it(`[T49] W-10 a writer killed at ${kills} random moments leaves old or new content, and after the next start nothing else`, async () => {
  place.put("a.txt", "0\n".repeat(2000));
  place.put("b.txt", "0\n".repeat(2000));
  place.put("c.txt", "even\nend\n");
  place.put("d.txt", "even\nend\n");
  const interrupted = new Map<string, number>();
  for (let killed = 0; killed < kills; killed++) {
    const writer = startWriter("rewrite", `${killed % 4}`);
    let doing = "";
    const begun = once(writer.stdout ?? writer, "data");
    writer.stdout?.on("data", (chunk: Buffer) => (doing = String(chunk).trim().split("\n").at(-1) ?? ""));
    await begun;
    // Its first change begins now; how far it gets is the machine's choice.
    await delay(Math.random() * 60);
    const gone = once(writer, "exit");
    writer.kill("SIGKILL");
    await gone;
    interrupted.set(doing, (interrupted.get(doing) ?? 0) + 1);
    await createLocalFileWork(join(place.home, ".fencepost")).recover();
    for (const name of ["a.txt", "b.txt"]) expect([name, isWhole(place.text(name))]).toEqual([name, true]);
    const [c, d] = [place.text("c.txt"), place.text("d.txt")];
    expect(["even\nend\n", "odd\nend\n"]).toContain(c);
    expect(d).toBe(c);
    const names = filesBelow(place.workspace);
    expect(names.filter((name) => !/^([abcd]\.txt|new-\d\/n\.txt)$/.test(name))).toEqual([]);
    // No directory without its file either.
    for (const name of newFiles()) {
      expect([name, existsSync(place.at(name)) && isWhole(place.text(name))]).toEqual([name, true]);
      rmSync(place.at(dirname(name)), { recursive: true });
    }
    expect(leftInState()).toEqual([]);
  }
  if (deep) {
    console.log(`killed during ${[...interrupted].map(([work, count]) => `${work} ${count}`).join(", ")}`);
    expect([...interrupted.keys()].toSorted()).toEqual(["create", "edit", "patch", "write"]);
  }
}, timeoutMs);

it("[T49] W-10 death between the temporary file and the rename: the old text stays, nothing is listed, the next start cleans up", async () => {
  place.put("f.txt", "old\n");
  expect(await once(startWriter("die-between", "", "f.txt"), "exit")).toEqual([null, "SIGKILL"]);
  expect(place.text("f.txt")).toBe("old\n");
  expect(readdirSync(place.workspace).filter(isTemporaryName).length).toBe(1);
  expect(await openFileSession(place).text("list", {})).toBe("f.txt");
  await createLocalFileWork(join(place.home, ".fencepost")).recover();
  expect(readdirSync(place.workspace)).toEqual(["f.txt"]);
  expect(leftInState()).toEqual([]);
});

async function appendBoth(task: string, names: readonly [string, string]): Promise<readonly string[]> {
  const writers = ["left", "right"].map((name, index) => startWriter(task, name, names[index] ?? ""));
  const codes = await Promise.all(writers.map(async (writer) => (await once(writer, "exit"))[0] as unknown));
  expect(codes).toEqual([0, 0]);
  return readFileSync(place.at(names[0]), "utf8").split("\n");
}

function expectEveryLine(lines: readonly string[]): void {
  for (const name of ["left", "right"]) {
    expect(lines.filter((line) => line.startsWith(name))).toEqual(Array.from({ length: 40 }, (_, round) => `${name} ${round}`));
  }
  expect(lines.length).toBe(82);
}

it("[T17] two processes on one file lose no update: the loser is told to read again", async () => {
  place.put("shared.txt", "end\n");
  expectEveryLine(await appendBoth("append", ["shared.txt", "shared.txt"]));
});

it("two processes that write into one file through two hard links lose no update", async () => {
  linkSync(place.put("one.txt", "end\n"), place.at("two.txt"));
  expectEveryLine(await appendBoth("append-in-place", ["one.txt", "two.txt"]));
  expect(place.text("two.txt")).toBe(place.text("one.txt"));
});

it("E-41 100 edits of one file at once through one session all land", async () => {
  const session = openFileSession(place);
  place.put("many.txt", Array.from({ length: 100 }, (_, index) => `line ${index};\n`).join(""));
  await session.call("read", { path: "many.txt" });
  const results = await Promise.all(Array.from({ length: 100 }, (_, index) => session.text("edit", { filePath: "many.txt", oldString: `line ${index};`, newString: `done ${index};` })));
  expect(results.every((text) => text.startsWith("Edited many.txt:"))).toBe(true);
  expect(place.text("many.txt")).toBe(Array.from({ length: 100 }, (_, index) => `done ${index};\n`).join(""));
});
