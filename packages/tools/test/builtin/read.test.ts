import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, ftruncateSync, mkdirSync, openSync, readdirSync, symlinkSync, writeFileSync, writeSync } from "node:fs";
import { createServer } from "node:net";
import { resultText } from "@fencepost/contract";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeFilePlace, openFileSession, type FilePlace, type FileSession } from "../files/file-session.ts";

let place: FilePlace;
let session: FileSession;

beforeAll(() => {
  place = makeFilePlace();
  session = openFileSession(place);
});

afterAll(() => place.remove());

const read = (input: Record<string, unknown>): Promise<string> => session.text("read", input);

it("shows lines with their numbers, and no footer at the end of the file", async () => {
  place.put("a.txt", "one\r\ntwo\nthree");
  expect(await read({ path: "a.txt" })).toBe("1\tone\n2\ttwo\n3\tthree");
});

it("R-01 R-04 says an empty file is empty, and counts no phantom line", async () => {
  place.put("empty.txt", "");
  expect(await read({ path: "empty.txt" })).toBe("[empty file]");
  expect(session.session.observations.get(place.at("empty.txt"))).toBe(createHash("sha256").digest("hex"));
  place.put("two.txt", "a\nb\n");
  expect(await read({ path: "two.txt" })).toBe("1\ta\n2\tb");
});

it("[T44] R-02 R-03 an offset past the end names the range, and is not called empty", async () => {
  place.put("three.txt", "a\nb\nc");
  expect(await read({ path: "three.txt", offset: 10 })).toBe("three.txt has 3 lines, so offset 10 is past its end. Use an offset from 1 to 3.");
  expect(await read({ path: "three.txt", offset: 3 })).toBe("3\tc");
});

it("[T20] R-05 R-06 2000 lines need no footer, 2001 name the next offset", async () => {
  place.put("2000.txt", "x\n".repeat(2000));
  expect(await read({ path: "2000.txt" })).not.toContain("[showing");
  place.put("2001.txt", "x\n".repeat(2001));
  expect((await read({ path: "2001.txt" })).split("\n").at(-1)).toBe("[showing lines 1-2000 of 2001. Continue with offset=2001]");
  expect(await read({ path: "2001.txt", offset: 2001 })).toBe("2001\tx");
  expect(await read({ path: "three.txt", offset: 2, limit: 1 })).toBe("2\tb\n[showing lines 2-2 of 3. Continue with offset=3]");
});

it("[T18] [T20] following a 5000-line file to its end gives every line exactly once, within 32,000 bytes a call", async () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `line ${index} ${"é".repeat(index % 40)}`);
  place.put("5000.txt", `${lines.join("\n")}\n`);
  const seen: string[] = [];
  for (let offset: number | undefined = 1; offset !== undefined; ) {
    const text = await read({ path: "5000.txt", offset });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(32_000);
    const next = /Continue with offset=(\d+)\]$/.exec(text);
    seen.push(...text.split("\n").filter((line) => !line.startsWith("[showing")).map((line) => line.slice(line.indexOf("\t") + 1)));
    offset = next ? Number(next[1]) : undefined;
  }
  expect(seen).toEqual(lines);
});

it("R-07 0 means 1; other numbers outside the range are refused by name", async () => {
  expect(await read({ path: "three.txt", offset: 0, limit: 1 })).toContain("1\ta");
  for (const input of [{ offset: -5 }, { offset: 1.5 }, { offset: "7" }, { limit: 0 }, { limit: 2001 }]) {
    const text = await read({ path: "three.txt", ...input });
    expect(text).toMatch(/^invalid tool input: `(offset|limit)` was .*; expected a whole number/);
  }
});

it("[T21] R-08 R-09 R-10 a long line is cut at 2000 characters, never inside one, and marked", async () => {
  const mark = "... (line truncated to 2000 chars)";
  place.put("emoji.txt", `${"a".repeat(1999)}😀tail\nnext\n`);
  expect(await read({ path: "emoji.txt" })).toBe(`1\t${"a".repeat(1999)}😀${mark}\n2\tnext`);
  place.put("euro.txt", "€".repeat(20_000));
  expect(await read({ path: "euro.txt" })).toBe(`1\t${"€".repeat(2000)}${mark}`);
  place.put("family.txt", `${"a".repeat(1998)}👩‍👩‍👧‍👦`);
  expect(/\p{Surrogate}/u.test(await read({ path: "family.txt" }))).toBe(false);
  place.put("ten.txt", "b".repeat(10_000));
  expect(await read({ path: "ten.txt" })).toBe(`1\t${"b".repeat(2000)}${mark}`);
  place.put("exact.txt", `${"😀".repeat(2000)}\r\n`);
  expect(await read({ path: "exact.txt" })).toBe(`1\t${"😀".repeat(2000)}`);
});

it("R-12 a first line longer than the byte limit never gives an empty body", async () => {
  place.put("long-first.txt", `${"y".repeat(60_000)}\nx\n`);
  const text = await read({ path: "long-first.txt" });
  expect(text.startsWith("1\tyyy")).toBe(true);
  expect(text.endsWith("\n2\tx")).toBe(true);
});

it("[T20] R-13 the byte limit ends on a whole line, and the next offset follows it", async () => {
  place.put("wide.txt", `${"z".repeat(1500)}\n`.repeat(40));
  const text = await read({ path: "wide.txt" });
  const lines = text.split("\n");
  expect(lines.at(-1)).toBe("[showing lines 1-20 of 40; stopped at 32 KB. Continue with offset=21]");
  expect(lines.slice(0, -1).every((line) => line.endsWith("z".repeat(1500)))).toBe(true);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(32_000);
});

it("[T44] R-14 R-16 R-26 a NUL or invalid UTF-8 is named with its place and what to do", async () => {
  place.put("nul.bin", "a\0b\n");
  expect(await read({ path: "nul.bin" })).toBe("nul.bin is binary: there is a NUL at byte 1 (line 1). It cannot be shown as text; use bash to look at it, for example with file or xxd.");
  place.put("latin.txt", Buffer.from("ok\ncaf\xe9\n", "latin1"));
  expect(await read({ path: "latin.txt" })).toContain("latin.txt is not valid UTF-8 at line 2");
  expect(await read({ path: "latin.txt", limit: 1 })).toContain("1\tok");
  place.put("x.png", Buffer.from("89504e470d0a1a0a0000000d", "hex"));
  const image = await session.call("read", { path: "x.png" });
  expect(image.content.map((part) => part.type)).toEqual(["text"]);
  expect(image.status).toBe("failed");
});

it("R-26 R-27 a picture of 12,000 pixels a side, a cut one and an empty one are named as what they are, and no picture is attached", async () => {
  const header = Buffer.from("89504e470d0a1a0a0000000d4948445200002ee000002ee00806000000", "hex");
  for (const [name, bytes, expected] of [["huge.png", header, "huge.png is not valid UTF-8 at line 1"], ["cut.png", header.subarray(0, 12), "cut.png is not valid UTF-8 at line 1"], ["none.png", Buffer.alloc(0), "[empty file]"], ["text.png", "not a picture\n", "1\tnot a picture"]] as const) {
    place.put(name, bytes);
    const result = await session.call("read", { path: name });
    expect(resultText(result)).toContain(expected);
    expect(result.content.every((part) => part.type === "text")).toBe(true);
  }
});

it("[T7] a link that leads into a credential directory shows nothing to read and list, and is not written", async () => {
  mkdirSync(`${place.home}/.ssh`, { recursive: true });
  writeFileSync(`${place.home}/.ssh/id_ed25519`, "secret-text\n");
  symlinkSync(`${place.home}/.ssh/id_ed25519`, place.at("key"));
  symlinkSync(`${place.home}/.ssh`, place.at("keys"));
  for (const [tool, input] of [["read", { path: "key" }], ["read", { path: "keys/id_ed25519" }], ["list", { path: "keys" }], ["edit", { filePath: "key", oldString: "secret", newString: "x" }], ["write", { path: "keys/new", content: "x" }]] as const) {
    const result = await session.call(tool, input);
    expect([tool, result.status]).toEqual([tool, "denied"]);
    expect(resultText(result)).not.toContain("secret-text");
  }
  expect(readdirSync(`${place.home}/.ssh`)).toEqual(["id_ed25519"]);
});

it("R-15 UTF-16 with a byte order mark is decoded, and marked as not editable", async () => {
  for (const [name, swap] of [["le.txt", false], ["be.txt", true]] as const) {
    const bytes = Buffer.from("\uFEFFhé\r\n😀\n", "utf16le");
    place.put(name, swap ? bytes.swap16() : bytes);
    const text = await read({ path: name });
    expect(text.split("\n").slice(0, 2)).toEqual(["1\thé", "2\t😀"]);
    expect(text).toContain(`[decoded from UTF-16${swap ? "BE" : "LE"}; write and edit cannot change this file]`);
    expect(await session.text("edit", { filePath: name, oldString: "h", newString: "x" })).toContain("only UTF-8 files can be changed");
  }
});

it("R-17 a far offset in a million lines shows the right ones", async () => {
  place.put("million.txt", Array.from({ length: 1_000_000 }, (_, index) => `${index + 1}\n`).join(""));
  const text = await read({ path: "million.txt", offset: 999_990 });
  expect(text.split("\n")).toEqual(Array.from({ length: 11 }, (_, index) => `${999_990 + index}\t${999_990 + index}`));
});

it("R-18 a file larger than memory's string limit is no problem, and beyond the scan limit says so", async () => {
  const path = place.at("sparse.txt");
  const file = openSync(path, "w");
  writeSync(file, "1\n2\n3\n4\n5\n6\n");
  ftruncateSync(file, 100 * 1024 ** 3);
  closeSync(file);
  const result = await session.call("read", { path: "sparse.txt", limit: 5 });
  expect(resultText(result)).toBe("1\t1\n2\t2\n3\t3\n4\t4\n5\t5\n[showing lines 1-5; the file is larger than 4 GiB, so it was not read to its end and cannot be edited. Continue with offset=6]");
  expect(session.session.observations.get(path)).toBeUndefined();
  expect(await read({ path: "sparse.txt" })).toContain("is binary: there is a NUL at byte 12 (line 7)");
});

it("beyond read.maxScanBytes the window comes without an observation", async () => {
  const small = openFileSession(place, { options: { readMaxScanBytes: 1024 } });
  place.put("over.txt", "line\n".repeat(400_000));
  const result = await small.call("read", { path: "over.txt", limit: 1 });
  expect(resultText(result)).toContain("the file is larger than 1024 bytes, so it was not read to its end and cannot be edited");
  expect(small.session.observations.get(place.at("over.txt"))).toBeUndefined();
  expect(await small.text("read", { path: "over.txt", offset: 399_999 })).toContain("lies beyond the first 1024 bytes");
});

it("[T47] R-20 R-21 FIFOs, sockets, devices and directories are refused at once, never opened", async () => {
  execFileSync("mkfifo", [place.at("pipe")]);
  expect(await read({ path: "pipe" })).toBe("pipe is a FIFO (named pipe), not a regular file. Only regular files can be read; use list to see what is there.");
  const server = createServer().listen(place.at("socket"));
  await new Promise((resolve) => server.once("listening", resolve));
  expect(await read({ path: "socket" })).toContain("socket is a socket, not a regular file");
  server.close();
  for (const device of ["/dev/zero", "/dev/tty", "/dev/null"]) expect(await read({ path: device })).toContain("is a device, not a regular file");
  expect(await read({ path: "." })).toBe(". is a directory, not a regular file. Use list to see its entries.");
});

it("R-22 a file whose size says 0 is read all the same", async () => {
  expect(await read({ path: "/proc/self/status" })).toContain("1\tName:");
});

it("[T44] R-24 [T47] a link to nothing names its target; a missing file says how to find one", async () => {
  symlinkSync("gone.txt", place.at("link"));
  expect(await read({ path: "link" })).toContain("gone.txt");
  expect(await read({ path: "nope.txt" })).toBe("nope.txt does not exist. Use glob to find the file.");
});

it("R-28 3 MB of text are paged", async () => {
  place.put("three-mb.txt", `${"w".repeat(99)}\n`.repeat(30_000));
  expect(await read({ path: "three-mb.txt" })).toMatch(/\[showing lines 1-\d+ of 30000; stopped at 32 KB\. Continue with offset=\d+\]$/);
});

it("R-30 a lone carriage return starts no line; R-32 a byte order mark is not shown", async () => {
  place.put("cr.txt", "a\rb\rc");
  expect(await read({ path: "cr.txt" })).toBe("1\ta\rb\rc");
  place.put("bom.txt", "\uFEFFhello\n");
  expect(await read({ path: "bom.txt" })).toBe("1\thello");
  place.put("only-bom.txt", "\uFEFF");
  expect(await read({ path: "only-bom.txt" })).toBe("[empty file]");
});

it("a 5 MB line is passed over", async () => {
  place.put("one-line.txt", `${"q".repeat(5 * 1024 * 1024)}\nend\n`);
  expect(await read({ path: "one-line.txt", offset: 2 })).toBe("2\tend");
});

it("records the hash of the whole file, whichever part was shown", async () => {
  const content = "x\n".repeat(5000);
  place.put("part.txt", content);
  await read({ path: "part.txt", offset: 10, limit: 1 });
  expect(session.session.observations.get(place.at("part.txt"))).toBe(createHash("sha256").update(content).digest("hex"));
});

it("a cancelled read says so", async () => {
  const controller = new AbortController();
  const running = session.call("read", { path: "million.txt" }, { signal: controller.signal });
  controller.abort();
  expect((await running).status).toBe("cancelled");
});
