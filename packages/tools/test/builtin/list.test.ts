import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeFilePlace, openFileSession, type FilePlace, type FileSession } from "../files/file-session.ts";

let place: FilePlace;
let session: FileSession;

beforeAll(() => {
  place = makeFilePlace();
  session = openFileSession(place);
});

afterAll(() => place.remove());

const list = (input: Record<string, unknown>): Promise<string> => session.text("list", input);

it("lists one level sorted by name: directories with a slash, links with their target, hidden ones too", async () => {
  mkdirSync(place.at("tree/sub/deep"), { recursive: true });
  for (const name of ["tree/b.txt", "tree/.hidden", "tree/B.txt"]) place.put(name, "");
  symlinkSync("b.txt", place.at("tree/link"));
  place.put("tree/.gitignore", "*.txt\n");
  expect(await list({ path: "tree" })).toBe(".gitignore\n.hidden\nB.txt\nb.txt\nlink -> b.txt\nsub/");
});

it("L-24 a directory is the same with one slash, two, or a dot behind it", async () => {
  const plain = await list({ path: "tree" });
  for (const path of ["tree/", "tree//", "tree/."]) expect(await list({ path })).toBe(plain);
});

it("L-20 a folder of broken links is not empty; L-27 an empty one says so", async () => {
  mkdirSync(place.at("broken"));
  symlinkSync("nowhere", place.at("broken/l"));
  expect(await list({ path: "broken" })).toBe("l -> nowhere");
  mkdirSync(place.at("empty"));
  expect(await list({ path: "empty" })).toBe("[empty directory]");
});

it("[T18] pages fit together over a stable order, with the offset to go on", async () => {
  mkdirSync(place.at("many"));
  const names = Array.from({ length: 450 }, (_, index) => `f${String(index).padStart(3, "0")}`);
  for (const name of names) writeFileSync(place.at(`many/${name}`), "");
  const seen: string[] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const lines = (await list({ path: "many", offset })).split("\n");
    const footer = /^\[showing (\d+) entries from offset (\d+); more entries available at offset (\d+)\]$/.exec(lines.at(-1) ?? "");
    seen.push(...(footer ? lines.slice(0, -1) : lines));
    offset = footer ? Number(footer[3]) : undefined;
  }
  expect(seen).toEqual(names);
  expect(await list({ path: "many", limit: 2, offset: 10 })).toBe("f010\nf011\n[showing 2 entries from offset 10; more entries available at offset 12]");
  expect(await list({ path: "many", offset: 450 })).toContain("offset 450 is past the end. Use an offset from 0 to 449.");
});

it("stays below the limit of a result, whatever the names", async () => {
  mkdirSync(place.at("wide"));
  for (let index = 0; index < 300; index++) writeFileSync(place.at(`wide/${String(index).padStart(3, "0")}${"w".repeat(240)}`), "");
  const text = await list({ path: "wide", limit: 2000 });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(32_000);
  expect(text).toMatch(/more entries available at offset \d+\]$/);
});

it("P-09 a line break in a name is written as an escape", async () => {
  mkdirSync(place.at("odd"));
  writeFileSync(place.at("odd/a\nb.txt"), "");
  expect(await list({ path: "odd" })).toBe("a\\nb.txt");
});

it("W-14 names of temporary files are never listed", async () => {
  mkdirSync(place.at("busy"));
  const names = new Set<string>();
  const state = { writing: true };
  const look = (async () => {
    while (state.writing) for (const line of (await list({ path: "busy" })).split("\n")) names.add(line);
  })();
  for (let round = 0; round < 50; round++) await session.call("write", { path: `busy/f${round}.txt`, content: "x".repeat(50_000) });
  state.writing = false;
  await look;
  expect([...names].filter((name) => !/^(f\d+\.txt|\[empty directory\])$/.test(name))).toEqual([]);
});

it("[T44] [T47] a file, a missing path and a FIFO are clear errors", async () => {
  place.put("file.txt", "");
  expect(await list({ path: "file.txt" })).toBe("file.txt is not a directory. Use read to see a file.");
  expect(await list({ path: "nope" })).toBe("nope does not exist. Use list on ., or glob, to find it.");
  execFileSync("mkfifo", [place.at("pipe")]);
  expect(await list({ path: "pipe" })).toContain("pipe is not a directory");
});

it.runIf(process.platform === "linux")("a directory swapped for a link to credentials after the check tells no names of theirs", async () => {
  mkdirSync(`${place.home}/.ssh`, { recursive: true });
  writeFileSync(`${place.home}/.ssh/secret-name`, "");
  mkdirSync(place.at("swapped"));
  const { fileSystem } = session.session;
  const swapping: typeof fileSystem = {
    ...fileSystem,
    lstat: async (path) => {
      const stat = await fileSystem.lstat(path);
      if (path === place.at("swapped") && stat.kind === "directory") {
        renameSync(path, place.at("away"));
        symlinkSync(`${place.home}/.ssh`, path);
      }
      return stat;
    },
  };
  const text = await openFileSession(place, { replace: { fileSystem: swapping } }).text("list", { path: "swapped" });
  expect(text).toContain("swapped");
  expect(text).not.toContain("secret-name");
});
