import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, chmodSync, chownSync, existsSync, linkSync, lstatSync, mkdirSync, readFileSync, readdirSync, readlinkSync, realpathSync, renameSync, statSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { resultText } from "@fencepost/contract";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createObservations } from "../../src/files/observations.ts";
import { changesOf, makeFilePlace, openFileSession, type FilePlace, type FileSession } from "../files/file-session.ts";

let place: FilePlace;
let session: FileSession;

beforeEach(() => {
  place = makeFilePlace();
  session = openFileSession(place);
});

afterEach(() => place.remove());

async function seen(name: string, content: string | Uint8Array): Promise<string> {
  const path = place.put(name, content);
  await session.call("read", { path: name });
  return path;
}

const edit = (filePath: string, oldString: string, newString: string, more: Record<string, unknown> = {}): Promise<string> =>
  session.text("edit", { filePath, oldString, newString, ...more });

const write = (path: string, content: string): Promise<string> => session.text("write", { path, content });

it("[T28] every summary names what changed and where it now stands", async () => {
  expect(await edit("src/new.ts", "", "a\nb\nc\nd\n")).toBe("Created src/new.ts (+4)");
  expect(await edit("src/new.ts", "b\nc", "B\nC\nD\nE")).toBe("Edited src/new.ts:2-5 (+4 -2)");
  expect(await edit("src/new.ts", "d", "Z")).toBe("Edited src/new.ts:6 (+1 -1)");
  expect(await edit("src/new.ts", "Z", "Y", { replaceAll: true })).toBe("Replaced 1 occurrence in src/new.ts (+1 -1)");
  await seen("four.txt", "x\nx\nx\nx\n");
  expect(await edit("four.txt", "x", "y", { replaceAll: true })).toBe("Replaced 4 occurrences in four.txt (+4 -4)");
  expect(await write("w.txt", "1\n2\n")).toBe("Created w.txt (+2)");
  expect(await write("w.txt", "1\n3\n4\n")).toBe("Overwrote w.txt (+2 -1)");
  expect(await write("w.txt", "1\n3\n4\n")).toBe("w.txt unchanged: the content is identical");
});

it("[T16] E-18 E-19 E-45 a failed edit leaves bytes, time and inode as they were", async () => {
  const path = await seen("f.txt", "keep me\nkeep me\n");
  const before = statSync(path, { bigint: true });
  expect(await edit("f.txt", "a", "a")).toContain("oldString and newString are the same");
  expect(await edit("f.txt", "", "all new")).toBe("f.txt exists already, and an empty oldString creates a new file. Give the text to replace, or use write to replace the whole file.");
  expect(await edit("f.txt", "zzzz", "y")).toContain("oldString was not found in f.txt");
  expect(await edit("f.txt", "keep", "y")).toContain("oldString has 2 matches in f.txt, at lines 1 and 2");
  const after = statSync(path, { bigint: true });
  expect([after.ino, after.mtimeNs, after.ctimeNs]).toEqual([before.ino, before.mtimeNs, before.ctimeNs]);
});

it("E-20 an empty oldString creates a file, as the schema says", async () => {
  expect(await edit("n.txt", "", "x")).toBe("Created n.txt (+1)");
  expect(place.text("n.txt")).toBe("x");
});

it("E-33 [T44] a file that read would refuse is refused for that reason", async () => {
  place.put("latin.txt", Buffer.from("caf\xe9\nx\n", "latin1"));
  expect(await edit("latin.txt", "x", "y")).toContain("latin.txt is not valid UTF-8");
  expect(await write("latin.txt", "y")).toContain("latin.txt is not valid UTF-8");
  place.put("nul.bin", "a\0x\n");
  expect(await edit("nul.bin", "x", "y")).toContain("nul.bin is binary: there is a NUL at byte 1 (line 1)");
  place.put("big.txt", "x".repeat(1024 * 1024 + 1));
  expect(await edit("big.txt", "x", "y")).toContain("big.txt is over 1 MiB");
  expect(readFileSync(place.at("latin.txt")).toString("latin1")).toBe("caf\xe9\nx\n");
});

it("[T31] [T32] [T33] [T34] W-15 W-24 E-38 the observation table, for write and edit, across toolsets that share it", async () => {
  place.put("f.txt", "a\n");
  expect(await edit("f.txt", "a", "b")).toBe("Read f.txt before editing it.");
  expect(await write("f.txt", "b\n")).toBe("Read f.txt before editing it.");
  await session.call("read", { path: "f.txt", limit: 1 });
  expect(await edit("f.txt", "a", "b")).toBe("Edited f.txt:1 (+1 -1)");
  expect(await edit("f.txt", "b", "c")).toBe("Edited f.txt:1 (+1 -1)");
  const other = openFileSession(place, { observations: session.session.observations });
  expect(await other.text("edit", { filePath: "f.txt", oldString: "c", newString: "d" })).toBe("Edited f.txt:1 (+1 -1)");
  appendFileSync(place.at("f.txt"), "by the user\n");
  const changed = "f.txt changed since you last read it (by you via bash, or by the user). Read it again before editing.";
  expect(await edit("f.txt", "d", "e")).toBe(changed);
  expect(await write("f.txt", "e\n")).toBe(changed);
  expect(await write("new.txt", "needs no reading\n")).toBe("Created new.txt (+1)");
  expect(await write("new.txt", "needs no reading again\n")).toBe("Overwrote new.txt (+1 -1)");
  expect(await other.text("write", { path: "new.txt", content: "needs none either\n" })).toBe("Overwrote new.txt (+1 -1)");
  const stranger = openFileSession(place, { observations: createObservations() });
  expect(await stranger.text("edit", { filePath: "new.txt", oldString: "needs", newString: "x" })).toBe("Read new.txt before editing it.");
  expect(place.text("f.txt")).toBe("d\nby the user\n");
});

it("E-40 one file is one file, by whatever path it is named", async () => {
  mkdirSync(place.at("src"));
  place.put("src/a.ts", "one\n");
  symlinkSync("src", place.at("alias"));
  await session.call("read", { path: "./src/a.ts" });
  expect(await edit(place.at("src/a.ts"), "one", "two")).toContain("Edited");
  expect(await edit("alias/a.ts", "two", "three")).toContain("Edited");
  expect(place.text("src/a.ts")).toBe("three\n");
});

it("P-14 on a disk that ignores case, a file read under one spelling is the file written under another", async () => {
  place.put("README.md", "one\n");
  const { fileSystem } = session.session;
  // As macOS does it: every spelling opens the file, and the real path has the spelling of the disk.
  const spelled = (path: string): string => (path.toLowerCase() === place.at("README.md").toLowerCase() ? place.at("README.md") : path);
  const blind = openFileSession(place, {
    replace: { fileSystem: { ...fileSystem, realpath: (path) => fileSystem.realpath(spelled(path)), lstat: (path) => fileSystem.lstat(spelled(path)), stat: (path) => fileSystem.stat(spelled(path)) } },
  });
  await blind.call("read", { path: "README.md" });
  expect(await blind.text("write", { path: "readme.md", content: "two\n" })).toBe("Overwrote readme.md (+1 -1)");
  expect(await blind.text("edit", { filePath: "Readme.MD", oldString: "two", newString: "three" })).toBe("Edited Readme.MD:1 (+1 -1)");
  expect(readdirSync(place.workspace)).toEqual(["README.md"]);
  expect(place.text("README.md")).toBe("three\n");
});

it("E-41 X-01 two edits of one turn both land, in the order of the calls", async () => {
  await seen("seq.txt", Array.from({ length: 100 }, (_, index) => `${index + 1}\n`).join(""));
  const results = await Promise.all([edit("seq.txt", "\n10\n", "\nTEN\n"), edit("seq.txt", "\n90\n", "\nNINETY\n")]);
  expect(results.every((text) => /^(Edited|Created)/.test(text))).toBe(true);
  expect(place.text("seq.txt")).toContain("\nTEN\n");
  expect(place.text("seq.txt")).toContain("\nNINETY\n");
  await write("w.txt", "first");
  expect(await edit("w.txt", "first", "second")).toContain("Edited");
  expect(place.text("w.txt")).toBe("second");
});

it("X-04 a failed edit lets go of its lock", async () => {
  await seen("f.txt", "a\n");
  await edit("f.txt", "zzz", "y");
  expect(await edit("f.txt", "a", "b")).toBe("Edited f.txt:1 (+1 -1)");
  expect(readdirSync(join(place.home, ".fencepost", "locks"))).toEqual([]);
});

it("[T17] a real writer between read and commit: refused, and its content stays", async () => {
  const path = await seen("race.txt", "start\n");
  const { fileSystem } = session.session;
  const racing = openFileSession(place, {
    observations: session.session.observations,
    replace: {
      fileSystem: {
        ...fileSystem,
        // Another process writes after the edit was computed and its content staged.
        open: async (target, mode, permissions) => {
          if (mode === "create") execFileSync("/bin/sh", ["-c", 'printf "other\\n" > "$1"', "sh", path]);
          return fileSystem.open(target, mode, permissions);
        },
      },
    },
  });
  const text = await racing.text("edit", { filePath: "race.txt", oldString: "start", newString: "end" });
  expect(text).toContain("file changed while edit was being prepared");
  expect(place.text("race.txt")).toBe("other\n");
  expect(readdirSync(place.workspace)).toEqual(["race.txt"]);
});

it("[T17] beside a writer that never stops, each write lands or says that the file changed, and leaves nothing behind", async () => {
  await seen("busy.txt", "0\n");
  const writer = spawn("/bin/sh", ["-c", 'i=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo $i > "$1"; done', "sh", place.at("busy.txt")]);
  const done = new Promise((resolve) => writer.once("exit", resolve));
  for (let round = 0; round < 20; round++) {
    await session.call("read", { path: "busy.txt" });
    const text = await session.text("write", { path: "busy.txt", content: `mine ${round}\n` });
    expect(text).toMatch(/^(Overwrote|busy\.txt(:| changed| unchanged))/);
  }
  await done;
  expect(readdirSync(place.workspace)).toEqual(["busy.txt"]);
});

it("[T46] mode, line endings, byte order mark, missing final newline and symlink survive write and edit", async () => {
  const path = await seen("keep.sh", "\uFEFFa\r\nb");
  chmodSync(path, 0o755);
  expect(await edit("keep.sh", "a", "A")).toBe("Edited keep.sh:1 (+1 -1)");
  expect(place.text("keep.sh")).toBe("\uFEFFA\r\nb");
  expect(statSync(path).mode & 0o7777).toBe(0o755);
  expect(await write("keep.sh", "x\ny\n")).toBe("Overwrote keep.sh (+2 -2), CRLF line endings kept, byte order mark kept");
  expect(place.text("keep.sh")).toBe("\uFEFFx\r\ny\r\n");
  expect(statSync(path).mode & 0o7777).toBe(0o755);
});

it("W-20 W-21 only what was uniform is kept", async () => {
  await seen("mixed.txt", "a\r\nb\n");
  expect(await write("mixed.txt", "x\ny\n")).toBe("Overwrote mixed.txt (+2 -2)");
  await seen("marked.txt", "\uFEFFa\n");
  expect(await write("marked.txt", "\uFEFFb\n")).toBe("Overwrote marked.txt (+1 -1)");
  expect(place.text("marked.txt")).toBe("\uFEFFb\n");
});

it("W-02 [T46] a symlink is kept and its target written", async () => {
  await seen("real.txt", "old\n");
  symlinkSync("real.txt", place.at("link"));
  expect(await write("link", "new\n")).toContain("Overwrote");
  expect(place.text("real.txt")).toBe("new\n");
  expect(await edit("link", "new", "newer")).toBe("Edited link:1 (+1 -1)");
  expect(place.text("real.txt")).toBe("newer\n");
  expect(readlinkSync(place.at("link"))).toBe("real.txt");
  expect(readdirSync(place.workspace).toSorted()).toEqual(["link", "real.txt"]);
});

it("W-03 W-04 W-05 [T7] [T8] links out, to nothing and in circles are refused, and nothing is made", async () => {
  symlinkSync(join(place.outside, "env"), place.at("out"));
  writeFileSync(join(place.outside, "env"), "secret\n");
  const outside = await session.call("write", { path: "out", content: "x" });
  expect(outside).toMatchObject({ status: "denied", sandboxDenied: true });
  symlinkSync("missing.txt", place.at("dangling"));
  expect(await write("dangling", "x")).toContain("missing.txt");
  symlinkSync("l2", place.at("l1"));
  symlinkSync("l1", place.at("l2"));
  expect(await write("l1", "x")).toContain("loop of symlinks");
  symlinkSync(place.outside, place.at("door"));
  expect(await session.call("write", { path: "door/new.txt", content: "x" })).toMatchObject({ status: "denied" });
  expect(readdirSync(place.outside)).toEqual(["env"]);
  expect(readFileSync(join(place.outside, "env"), "utf8")).toBe("secret\n");
});

it("[T7] a parent that is swapped for a link after the check redirects nothing", async () => {
  mkdirSync(place.at("dir"));
  const { fileSystem } = session.session;
  const swapped = openFileSession(place, {
    replace: {
      fileSystem: {
        ...fileSystem,
        holdDirectory: (path) => {
          if (path === place.at("dir") && !lstatSync(path).isSymbolicLink()) {
            renameSync(path, place.at("dir.moved"));
            symlinkSync(place.outside, path);
          }
          return fileSystem.holdDirectory(path);
        },
      },
    },
  });
  expect(await swapped.text("write", { path: "dir/x.txt", content: "x" })).toContain("symlink");
  expect(readdirSync(place.outside)).toEqual([]);
});

it("[T10] what a call brings is for that call: the next write and edit are refused again", async () => {
  const granted = session.policy.withGrants([{ path: place.at(".env"), access: "write", scope: "exact" }]);
  const input = { path: ".env", content: "A=1\n" };
  expect(await session.call("write", input)).toMatchObject({ status: "denied" });
  expect(await session.call("write", input, { policy: granted })).toMatchObject({ status: "succeeded" });
  const change = { filePath: ".env", oldString: "A=1", newString: "A=2" };
  expect(await session.call("edit", change)).toMatchObject({ status: "denied" });
  expect(await session.call("edit", change, { policy: granted })).toMatchObject({ status: "succeeded" });
  expect(await session.call("edit", { ...change, oldString: "A=2", newString: "A=3" })).toMatchObject({ status: "denied" });
  expect(await session.call("write", input)).toMatchObject({ status: "denied" });
  expect(place.text(".env")).toBe("A=2\n");
});

it("W-06 one name of several is replaced, and the result says so", async () => {
  const path = await seen("a.txt", "old\n");
  linkSync(path, place.at("b.txt"));
  expect(await write("a.txt", "new\n")).toBe("Overwrote a.txt (+1 -1); its other name (hard link) keeps the old content");
  expect(place.text("b.txt")).toBe("old\n");
});

it("W-06 a file that somebody removes while it is compared has no other names", async () => {
  await seen("f.txt", "a\n");
  const { fileSystem } = session.session;
  const open: typeof fileSystem.open = async (...args) => {
    const file = await fileSystem.open(...args);
    return { ...file, stat: async () => ({ ...(await file.stat()), links: 0 }) };
  };
  const racing = openFileSession(place, { observations: session.session.observations, replace: { fileSystem: { ...fileSystem, open } } });
  expect(await racing.text("write", { path: "f.txt", content: "b\n" })).toBe("Overwrote f.txt (+1 -1)");
});

it("W-16 parents are made, and a new file has the umask's mode", async () => {
  expect(await write("new/deep/x.txt", "x\n")).toBe("Created new/deep/x.txt (+1)");
  expect(statSync(place.at("new/deep/x.txt")).mode & 0o777).toBe(0o666 & ~process.umask());
});

it("W-17 [T44] a directory, a trailing slash and a file as parent are three clear errors", async () => {
  mkdirSync(place.at("dir"));
  place.put("a.txt", "x");
  expect(await write("dir", "x")).toBe("dir is a directory, not a regular file. Use list to see its entries.");
  expect(await write("new/", "x")).toContain("trailing slash");
  expect(await write("a.txt/b", "x")).toContain("a.txt is a file");
});

it("W-19 a lone surrogate is refused", async () => {
  expect(await write("s.txt", "a\ud83d")).toContain("`content` is not valid Unicode");
  expect(existsSync(place.at("s.txt"))).toBe(false);
});

const nulFault = (field: string): string => `invalid tool input: \`${field}\` holds a NUL at UTF-16 unit 1, and a file with one is binary, which file tools neither show nor change. Leave it out, or use bash with printf.`;

it("[T44] a text with a NUL is refused: it would make a file that no file tool can show or change", async () => {
  await seen("f.txt", "a\n");
  expect(await write("f.txt", "x\0")).toBe(nulFault("content"));
  expect(await edit("f.txt", "a", "x\0")).toBe(nulFault("newString"));
  expect(await session.text("apply_patch", { patch: "-\0" })).toBe(nulFault("patch"));
  expect(place.text("f.txt")).toBe("a\n");
});

it("[T47] W-22 FIFOs and devices are refused at once", async () => {
  execFileSync("mkfifo", [place.at("pipe")]);
  for (const text of [await write("pipe", "x"), await edit("pipe", "a", "b")]) expect(text).toContain("pipe is a FIFO (named pipe), not a regular file");
  expect(await session.text("write", { path: "/dev/null", content: "x" })).toContain("/dev/null is a device");
});

it("W-23 an empty content is allowed and said", async () => {
  await seen("full.txt", "abc\nd\n");
  expect(await write("full.txt", "")).toBe("Overwrote full.txt (+0 -2), now empty (was 6 bytes)");
});

it("a file without a write bit is refused, also for root", async () => {
  const path = await seen("ro.txt", "a\n");
  chmodSync(path, 0o444);
  expect(await edit("ro.txt", "a", "b")).toBe("ro.txt is read-only (no write permission bit), so it was not changed. Ask the user before making it writable.");
  expect(place.text("ro.txt")).toBe("a\n");
});

it("a 255-byte name can be written", async () => {
  const name = "n".repeat(255);
  expect(await write(name, "x\n")).toContain("Created");
  expect(await edit(name, "x", "y")).toContain("Edited");
  expect(readdirSync(place.workspace)).toEqual([name]);
});

it("a content over 1 MiB is an invalid argument that says the size", async () => {
  expect(await write("big.txt", "é".repeat(600_000))).toBe("invalid tool input: `content` has 1200000 bytes; expected at most 1048576. Write it in smaller parts.");
});

it("[T44] W-20 a content that grows over 1 MiB with the line endings it gets is refused, and stays undoable", async () => {
  const before = "a\r\nb\r\n";
  await seen("crlf.txt", before);
  expect(await write("crlf.txt", "x\n".repeat(500_000))).toBe("crlf.txt would have 1500000 bytes with its CRLF line endings kept, and write takes at most 1048576. Nothing was written; write less.");
  expect(place.text("crlf.txt")).toBe(before);
});

it.runIf(process.geteuid?.() === 0)("a file that cannot keep its owner or group gives nobody what was meant for these", async () => {
  const nobody = 65_534;
  const someone = 12_345;
  const opened = dirname(place.root);
  const mode = statSync(opened).mode & 0o7777;
  for (const [name, gid] of [["theirs", someone], ["shared", nobody]] as const) {
    await seen(name, "a\n");
    chownSync(place.at(name), someone, gid);
    chmodSync(place.at(name), 0o6776);
  }
  for (const path of [place.root, place.home, place.workspace]) chmodSync(path, 0o777);
  chmodSync(opened, mode | 0o011);
  const [uid, gid, groups] = [process.geteuid?.() ?? 0, process.getegid?.() ?? 0, process.getgroups?.() ?? []];
  process.setgroups?.([]);
  process.setegid?.(nobody);
  process.seteuid?.(nobody);
  try {
    for (const name of ["theirs", "shared"]) expect(await write(name, "b\n")).toContain("Overwrote");
  } finally {
    process.seteuid?.(uid);
    process.setegid?.(gid);
    process.setgroups?.(groups);
    chmodSync(opened, mode);
  }
  const now = (name: string): readonly unknown[] => {
    const found = statSync(place.at(name));
    return [found.uid, found.gid, (found.mode & 0o7777).toString(8)];
  };
  expect(now("theirs")).toEqual([nobody, nobody, "766"]);
  expect(now("shared")).toEqual([nobody, nobody, "2776"]);
});

it("writeExisting: refuse only creates", async () => {
  const strict = openFileSession(place, { options: { writeExisting: "refuse" } });
  place.put("f.txt", "a\n");
  await strict.call("read", { path: "f.txt" });
  expect(await strict.text("write", { path: "f.txt", content: "b\n" })).toContain("write only creates files in this session");
  expect(await strict.text("edit", { filePath: "f.txt", oldString: "a", newString: "b" })).toContain("Edited");
});

it("editMatching: tolerant names how it matched; exact is the default", async () => {
  await seen("t.txt", "\tcall()\n");
  expect(await edit("t.txt", "  call()", "x")).toContain("was not found");
  const tolerant = openFileSession(place, { observations: session.session.observations, options: { editMatching: "tolerant" } });
  expect(await tolerant.text("edit", { filePath: "t.txt", oldString: "  call()", newString: "\tdone()" })).toBe("Edited t.txt:1 (+1 -1), matched ignoring indentation");
});

it("echoDiff: hunks shows the change below the summary, bounded", async () => {
  const echo = openFileSession(place, { options: { echoDiff: "hunks" } });
  await echo.call("write", { path: "e.txt", content: "a\nb\nc\n" });
  expect(await echo.text("edit", { filePath: "e.txt", oldString: "b", newString: "B" })).toBe("Edited e.txt:2 (+1 -1)\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c");
  const many = await echo.text("write", { path: "m.txt", content: "line\n".repeat(500) });
  expect(many.split("\n").length).toBe(1 + 60 + 1);
  expect(many).toContain("[diff cut: 1 hunks in all]");
});

it("an artifact holds the exact change, and the text never does", async () => {
  await seen("f.txt", "a\nb\n");
  const result = await session.call("edit", { filePath: "f.txt", oldString: "b", newString: "B" }, { callId: "the-call" });
  expect(resultText(result)).toBe("Edited f.txt:2 (+1 -1)");
  expect(changesOf(result)).toMatchObject([{ changeId: "the-call", path: "f.txt", realPath: realpathSync(place.at("f.txt")), kind: "modified", additions: 1, deletions: 1, beforeContent: "a\nb\n", afterContent: "a\nB\n", undone: false }]);
});

it("[T41] [T42] undo in reverse and reapply in order; a conflict touches nothing", async () => {
  const results = [
    await session.call("write", { path: "new/dir/f.txt", content: "1\n" }),
    await session.call("edit", { filePath: "new/dir/f.txt", oldString: "1", newString: "2" }),
    await session.call("write", { path: "other.txt", content: "o\n" }),
  ];
  const changes = results.flatMap(changesOf);
  appendFileSync(place.at("other.txt"), "user\n");
  expect(await session.undo(changes)).toEqual({ changed: [], conflicts: [place.at("other.txt")] });
  expect(place.text("new/dir/f.txt")).toBe("2\n");
  writeFileSync(place.at("other.txt"), "o\n");
  expect((await session.undo(changes)).changed.toSorted()).toEqual([place.at("new/dir/f.txt"), place.at("other.txt")]);
  expect(readdirSync(place.workspace)).toEqual([]);
  expect((await session.reapply(changes)).conflicts).toEqual([]);
  expect(place.text("new/dir/f.txt")).toBe("2\n");
  expect(place.text("other.txt")).toBe("o\n");
  expect((await session.reapply(changes)).conflicts.length).toBe(2);
});

it("undo and reapply need no observation, and what they wrote has to be read before it is edited", async () => {
  await session.call("write", { path: "f.txt", content: "x\n" });
  const changes = changesOf(await session.call("edit", { filePath: "f.txt", oldString: "x", newString: "y" }));
  const stranger = openFileSession(place, { observations: createObservations() });
  expect((await stranger.undo(changes)).conflicts).toEqual([]);
  expect(place.text("f.txt")).toBe("x\n");
  expect(await edit("f.txt", "x", "z")).toContain("changed since you last read it");
});

it("undo does not follow a link that took a file's place", async () => {
  const changes = changesOf(await session.call("write", { path: "f.txt", content: "x\n" }));
  unlinkSync(place.at("f.txt"));
  writeFileSync(join(place.outside, "f.txt"), "x\n");
  symlinkSync(join(place.outside, "f.txt"), place.at("f.txt"));
  const outcome = await session.undo(changes);
  expect(outcome.changed).toEqual([]);
  expect(readFileSync(join(place.outside, "f.txt"), "utf8")).toBe("x\n");
});
