import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createLocalFileWork } from "../../src/files/local/local-file-work.ts";
import { bundleWriter } from "./bundle-writer.ts";
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
  script = await bundleWriter(bundle);
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
  return readdirSync(directory, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [] : [join(entry.parentPath, entry.name).slice(directory.length + 1)]));
}

it(`[T49] a writer killed at ${kills} random moments leaves old or new content, and after the next start nothing else`, async () => {
  place.put("a.txt", "0\n".repeat(2000));
  place.put("b.txt", "0\n".repeat(2000));
  place.put("c.txt", "even\nend\n");
  place.put("d.txt", "even\nend\n");
  for (let killed = 0; killed < kills; killed++) {
    const writer = startWriter("rewrite");
    await once(writer.stdout ?? writer, "data");
    // Its first round begins now; how far it gets is the machine's choice.
    await delay(Math.random() * 60);
    const gone = once(writer, "exit");
    writer.kill("SIGKILL");
    await gone;
    await createLocalFileWork(join(place.home, ".fencepost")).recover();
    for (const name of ["a.txt", "b.txt"]) expect([name, isWhole(place.text(name))]).toEqual([name, true]);
    const [c, d] = [place.text("c.txt"), place.text("d.txt")];
    expect(["even\nend\n", "odd\nend\n"]).toContain(c);
    expect(d).toBe(c);
    const names = filesBelow(place.workspace);
    expect(names.filter((name) => !/^([abcd]\.txt|new-\d\/n\.txt)$/.test(name))).toEqual([]);
    for (const name of names.filter((candidate) => candidate.startsWith("new-"))) expect(isWhole(place.text(name))).toBe(true);
    for (const directory of ["locks", "journal"]) {
      const path = join(place.home, ".fencepost", directory);
      expect(existsSync(path) ? readdirSync(path).filter((name) => !name.endsWith(".new")) : []).toEqual([]);
    }
  }
}, timeoutMs);

it("[T17] two processes on one file lose no update: the loser is told to read again", async () => {
  place.put("shared.txt", "end\n");
  const writers = ["left", "right"].map((name) => startWriter("append", name));
  const codes = await Promise.all(writers.map(async (writer) => (await once(writer, "exit"))[0] as unknown));
  expect(codes).toEqual([0, 0]);
  const lines = readFileSync(place.at("shared.txt"), "utf8").split("\n");
  for (const name of ["left", "right"]) {
    expect(lines.filter((line) => line.startsWith(name))).toEqual(Array.from({ length: 40 }, (_, round) => `${name} ${round}`));
  }
  expect(lines.length).toBe(82);
});

it("E-41 100 edits of one file at once through one session all land", async () => {
  const session = openFileSession(place);
  place.put("many.txt", Array.from({ length: 100 }, (_, index) => `line ${index};\n`).join(""));
  await session.call("read", { path: "many.txt" });
  const results = await Promise.all(Array.from({ length: 100 }, (_, index) => session.text("edit", { filePath: "many.txt", oldString: `line ${index};`, newString: `done ${index};` })));
  expect(results.every((text) => text.startsWith("Edited many.txt:"))).toBe(true);
  expect(place.text("many.txt")).toBe(Array.from({ length: 100 }, (_, index) => `done ${index};\n`).join(""));
});
