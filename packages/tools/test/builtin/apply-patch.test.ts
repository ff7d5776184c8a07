import { chmodSync, existsSync, linkSync, mkdirSync, readdirSync, statSync, symlinkSync, truncateSync, unlinkSync } from "node:fs";
import { resultText, type ToolResult } from "@fencepost/contract";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FileSystemError } from "../../src/files/file-system.ts";
import { changesOf, makeFilePlace, openFileSession, type FilePlace, type FileSession } from "../files/file-session.ts";

let place: FilePlace;
let session: FileSession;

beforeEach(() => {
  place = makeFilePlace();
  session = openFileSession(place);
});

afterEach(() => place.remove());

async function seen(name: string, content: string): Promise<void> {
  place.put(name, content);
  await session.call("read", { path: name });
}

const patch = (text: string): Promise<ToolResult> => session.call("apply_patch", { patch: text }, { callId: "p" });

function kindOf(result: ToolResult): unknown {
  return result.error?.details?.["kind"];
}

it("changes, adds, deletes and renames several files in one call, each with its own change, and all undone together", async () => {
  await seen("m.txt", "a\nb\nc\n");
  await seen("d.txt", "gone\n");
  await seen("r.txt", "1\n2\n3\n");
  const result = await patch(
    [
      "--- a/m.txt\n+++ b/m.txt\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n",
      "--- /dev/null\n+++ b/new/a.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n",
      "--- a/d.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n",
      "diff --git a/r.txt b/s.txt\nsimilarity index 66%\nrename from r.txt\nrename to s.txt\n--- a/r.txt\n+++ b/s.txt\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n",
    ].join(""),
  );
  expect(resultText(result)).toBe('M m.txt\nA new/a.txt\nD d.txt\nR r.txt -> s.txt\n[s.txt: ignored "similarity index 66%"]');
  const changes = changesOf(result);
  expect(changes.map((change) => [change.changeId, change.kind, change.path, change.additions, change.deletions])).toEqual([
    ["p#1", "modified", "m.txt", 1, 1],
    ["p#2", "created", "new/a.txt", 2, 0],
    ["p#3", "deleted", "d.txt", 0, 1],
    ["p#4", "renamed", "s.txt", 1, 1],
  ]);
  expect(place.text("s.txt")).toBe("1\ntwo\n3\n");
  expect((await session.undo(changes)).conflicts).toEqual([]);
  expect(readdirSync(place.workspace).toSorted()).toEqual(["d.txt", "m.txt", "r.txt"]);
  expect([place.text("m.txt"), place.text("d.txt"), place.text("r.txt")]).toEqual(["a\nb\nc\n", "gone\n", "1\n2\n3\n"]);
  expect((await session.reapply(changes)).conflicts).toEqual([]);
  expect(place.text("s.txt")).toBe("1\ntwo\n3\n");
  expect(existsSync(place.at("r.txt"))).toBe(false);
});

it("E-42 nothing is written where one hunk does not fit, and the text names it", async () => {
  await seen("a.txt", "a\n");
  await seen("b.txt", "b\n");
  const result = await patch("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+A\n--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-zzz\n+Y\n");
  expect(kindOf(result)).toBe("context_not_found");
  expect(resultText(result)).toContain("Hunk 1 of b.txt was not found");
  expect(resultText(result)).toContain("1\tb");
  expect(place.text("a.txt")).toBe("a\n");
});

it("takes the same path more than once, in the order of the patch", async () => {
  await seen("t.txt", "1\n2\n");
  const result = await patch("--- a/t.txt\n+++ b/t.txt\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n--- a/t.txt\n+++ b/t.txt\n@@ -1,2 +1,2 @@\n-one\n+uno\n 2\n");
  expect(resultText(result)).toBe("M t.txt");
  expect(changesOf(result).length).toBe(1);
  expect(place.text("t.txt")).toBe("uno\n2\n");
});

const errors: readonly (readonly [string, string, string])[] = [
  ["missing_file_header", "@@ -1 +1 @@\n-a\n+b\n", "belongs to no file"],
  ["missing_file_header", "hello\n", "names no file"],
  ["missing_file_header", "--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n", "/dev/null on both sides"],
  ["invalid_hunk_header", "--- a/f.txt\n+++ b/f.txt\n@@ nonsense @@\n-a\n", "cannot be read"],
  ["invalid_hunk_header", "--- a/f.txt\n+++ b/f.txt\n", "no hunk"],
  ["unsupported_git_patch_feature", "diff --git a/f.png b/f.png\nindex 1..2 100644\nGIT binary patch\nliteral 3\n", "binary"],
  ["unsupported_git_patch_feature", "diff --git a/f.txt b/g.txt\ncopy from f.txt\ncopy to g.txt\n", "copies"],
  ["unsupported_git_patch_feature", "diff --git a/sub b/sub\nnew file mode 160000\nindex 0000..1111\n--- /dev/null\n+++ b/sub\n@@ -0,0 +1 @@\n+x\n", "submodules"],
  ["unsupported_git_patch_feature", "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+x\n", "symlinks"],
  ["path_escape", "--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n", "relative to the working directory"],
  ["path_escape", "--- /dev/null\n+++ /etc/x\n@@ -0,0 +1 @@\n+b\n", "relative to the working directory"],
  ["rename_path_mismatch", "--- a/f.txt\n+++ b/g.txt\n@@ -1 +1 @@\n-a\n+b\n", "without rename lines"],
  ["rename_path_mismatch", "diff --git a/f.txt b/g.txt\nrename from f.txt\n", "do not fit"],
  ["context_not_found", "--- a/f.txt\n+++ b/f.txt\n@@ -1 +1 @@\n-nowhere\n+b\n", "The file has there"],
  ["ambiguous_context", "--- a/f.txt\n+++ b/f.txt\n@@ -1 +1 @@\n-x\n+b\n", "fits at 2 places: lines 2, 4"],
  ["existing_file", "--- /dev/null\n+++ b/f.txt\n@@ -0,0 +1 @@\n+b\n", "exists already"],
  ["missing_file", "--- a/none.txt\n+++ b/none.txt\n@@ -1 +1 @@\n-a\n+b\n", "does not exist"],
];

it.each(errors)("[T44] %s: %j is refused and changes nothing", async (kind, text, expected) => {
  await seen("f.txt", "a\nx\nc\nx\n");
  const result = await patch(text);
  expect(kindOf(result)).toBe(kind);
  expect(resultText(result)).toContain(expected);
  expect(readdirSync(place.workspace)).toEqual(["f.txt"]);
  expect(place.text("f.txt")).toBe("a\nx\nc\nx\n");
});

it("every existing file needs a valid observation", async () => {
  place.put("f.txt", "a\n");
  expect(resultText(await patch("--- a/f.txt\n+++ b/f.txt\n@@ -1 +1 @@\n-a\n+b\n"))).toBe("Read f.txt before editing it.");
  expect(resultText(await patch("--- a/f.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"))).toBe("Read f.txt before editing it.");
});

it("a relaxed hit keeps the file's own context and says how it matched", async () => {
  await seen("w.txt", "\tif (a) {\n\t\tcall();\n\t}\n");
  const result = await patch("--- a/w.txt\n+++ b/w.txt\n@@ -1,3 +1,3 @@\n   if (a) {\n-    call();\n+\t\tother();\n   }\n");
  expect(resultText(result)).toBe("M w.txt\n[hunk 1 of w.txt: matched ignoring surrounding white space]");
  expect(place.text("w.txt")).toBe("\tif (a) {\n\t\tother();\n\t}\n");
});

it("wrong line numbers and counts are no obstacle, and counts are noted", async () => {
  await seen("n.txt", `${Array.from({ length: 200 }, (_, index) => `line ${index}`).join("\n")}\n`);
  const result = await patch("--- a/n.txt\n+++ b/n.txt\n@@ -3,9 +3,9 @@\n line 149\n-line 150\n+LINE 150\n line 151\n");
  expect(resultText(result)).toBe("M n.txt\n[hunk 1 of n.txt: the counts in its header do not fit its lines]");
  expect(place.text("n.txt")).toContain("line 149\nLINE 150\nline 151");
});

it("[T46] line endings, byte order mark, final newline and mode survive", async () => {
  await seen("crlf.txt", "\uFEFFa\r\nb\r\nc");
  chmodSync(place.at("crlf.txt"), 0o755);
  expect(resultText(await patch("--- a/crlf.txt\n+++ b/crlf.txt\n@@ -1,2 +1,3 @@\n-a\n+A\n+new\n b\n"))).toBe("M crlf.txt");
  expect(place.text("crlf.txt")).toBe("\uFEFFA\r\nnew\r\nb\r\nc");
  expect(statSync(place.at("crlf.txt")).mode & 0o777).toBe(0o755);
  await session.call("apply_patch", { patch: "--- a/crlf.txt\n+++ b/crlf.txt\n@@ -4 +4 @@\n-c\n\\ No newline at end of file\n+C\n" });
  expect(place.text("crlf.txt")).toBe("\uFEFFA\r\nnew\r\nb\r\nC\n");
});

it("W-06 a patched name of several is replaced alone, and the result says so", async () => {
  await seen("one.txt", "a\n");
  linkSync(place.at("one.txt"), place.at("two.txt"));
  const result = await patch("--- a/one.txt\n+++ b/one.txt\n@@ -1 +1 @@\n-a\n+b\n");
  expect(resultText(result)).toBe("M one.txt\n[one.txt: its other name (hard link) keeps the old content]");
  expect([place.text("one.txt"), place.text("two.txt")]).toEqual(["b\n", "a\n"]);
});

it("[T7] [T8] the fence judges every path of a patch before anything is written", async () => {
  await seen("ok.txt", "a\n");
  symlinkSync(place.outside, place.at("door"));
  const result = await patch("--- a/ok.txt\n+++ b/ok.txt\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ b/door/x.txt\n@@ -0,0 +1 @@\n+x\n");
  expect(result).toMatchObject({ status: "denied", sandboxDenied: true });
  expect(place.text("ok.txt")).toBe("a\n");
  expect(readdirSync(place.outside)).toEqual([]);
});

it("rename_file moves a file of any content, never overwrites, and can be undone", async () => {
  const bytes = Buffer.from([0, 255, 1]);
  place.put("bin", bytes);
  place.put("taken", "x");
  mkdirSync(place.at("dir"));
  expect(await session.text("rename_file", { from: "bin", to: "taken" })).toBe("taken exists already, and a rename never overwrites. Choose another name, or delete it first.");
  expect(await session.text("rename_file", { from: "bin", to: "none/x" })).toBe("The directory of none/x does not exist, and a rename makes none. Use a directory that exists, or make it with bash.");
  expect(await session.text("rename_file", { from: "dir", to: "dir2" })).toContain("dir is a directory, not a regular file");
  symlinkSync("taken", place.at("link"));
  expect(await session.text("rename_file", { from: "link", to: "x" })).toContain("link is a symlink");
  const result = await session.call("rename_file", { from: "bin", to: "dir/moved" });
  expect(resultText(result)).toBe("Renamed bin to dir/moved");
  expect(changesOf(result)).toMatchObject([{ kind: "renamed", fromPath: "bin", beforeContent: null, additions: 0 }]);
  expect((await session.undo(changesOf(result))).conflicts).toEqual([]);
  expect(readdirSync(place.workspace).toSorted()).toEqual(["bin", "dir", "link", "taken"]);
  expect((await session.reapply(changesOf(result))).conflicts).toEqual([]);
  expect(readdirSync(place.at("dir"))).toEqual(["moved"]);
});

it("delete_file needs an observation and a text it can give back", async () => {
  place.put("f.txt", "a\nb\n");
  expect(await session.text("delete_file", { path: "f.txt" })).toBe("Read f.txt before editing it.");
  place.put("latin.txt", Buffer.from("caf\xe9", "latin1"));
  expect(await session.text("delete_file", { path: "latin.txt" })).toContain("not valid UTF-8");
  chmodSync(place.at("f.txt"), 0o640);
  await session.call("read", { path: "f.txt" });
  const result = await session.call("delete_file", { path: "f.txt" });
  expect(resultText(result)).toBe("Deleted f.txt (-2)");
  expect(existsSync(place.at("f.txt"))).toBe(false);
  expect((await session.undo(changesOf(result))).conflicts).toEqual([]);
  expect(place.text("f.txt")).toBe("a\nb\n");
  expect(statSync(place.at("f.txt")).mode & 0o777).toBe(0o640);
});

it("a header line that is a million characters long takes no time", async () => {
  const result = await patch(`diff --git a/f.txt b/f.txt\nindex ${"1".repeat(1_000_000)}\n--- a/f.txt\n+++ b/f.txt\n@@ -1 +1 @@\n-a\n+b\n`);
  expect(kindOf(result)).toBe("missing_file");
});

it("a name that ends in a space is the name that git means by it", async () => {
  await seen("f", "a\n");
  await seen("f ", "a\n");
  expect(resultText(await patch("diff --git a/f  b/f \n--- a/f \t\n+++ b/f \t\n@@ -1 +1 @@\n-a\n+b\n"))).toBe("M f ");
  expect([place.text("f"), place.text("f ")]).toEqual(["a\n", "b\n"]);
});

it("[T44] a name that is not UTF-8 is refused, not turned into another", async () => {
  const result = await patch('--- /dev/null\n+++ "b/\\377.txt"\n@@ -0,0 +1 @@\n+x\n');
  expect([kindOf(result), resultText(result)]).toEqual(["unsupported_git_patch_feature", expect.stringContaining("not valid UTF-8")]);
  expect(readdirSync(place.workspace)).toEqual([]);
});

it("[T11] a patch of many files is cancelled midway, and all of it is taken back", async () => {
  const { fileSystem } = session.session;
  const files = 40;
  for (const [operation, after] of [["open", 30], ["link", 20]] as const) {
    const controller = new AbortController();
    let count = 0;
    const tick = (): void => {
      if (++count === after) controller.abort();
    };
    const counted = {
      open: { open: (...args: Parameters<typeof fileSystem.open>) => (tick(), fileSystem.open(...args)) },
      link: { link: (...args: Parameters<typeof fileSystem.link>) => (tick(), fileSystem.link(...args)) },
    }[operation];
    const cancelling = openFileSession(place, { replace: { fileSystem: { ...fileSystem, ...counted } } });
    const text = Array.from({ length: files }, (_, index) => `--- /dev/null\n+++ b/new/${index}\n@@ -0,0 +1 @@\n+x\n`).join("");
    const result = await cancelling.call("apply_patch", { patch: text }, { signal: controller.signal });
    expect([operation, result.status, readdirSync(place.workspace)]).toEqual([operation, "cancelled", []]);
  }
});

it("[T11] hashing a file of any size for its new name can be cancelled", async () => {
  place.put("big", "");
  truncateSync(place.at("big"), 50 * 1024 ** 3);
  const controller = new AbortController();
  const { fileSystem } = session.session;
  const open: typeof fileSystem.open = async (...args) => {
    const file = await fileSystem.open(...args);
    setTimeout(() => controller.abort(), 20);
    return file;
  };
  const result = await openFileSession(place, { replace: { fileSystem: { ...fileSystem, open } } }).call("rename_file", { from: "big", to: "small" }, { signal: controller.signal });
  expect([result.status, resultText(result)]).toEqual(["cancelled", "The call was cancelled. Nothing was written."]);
  expect(readdirSync(place.workspace)).toEqual(["big"]);
});

it("[T17] what takes a file's place right before it is renamed is not renamed in its stead", async () => {
  const { fileSystem } = session.session;
  place.put("from", "a\n");
  const link: typeof fileSystem.link = async (source, target) => {
    unlinkSync(place.at("from"));
    symlinkSync("elsewhere", place.at("from"));
    return fileSystem.link(source, target);
  };
  const swapped = openFileSession(place, { replace: { fileSystem: { ...fileSystem, link: (source, target) => (target.endsWith("/to") ? link(source, target) : fileSystem.link(source, target)) } } });
  expect(await swapped.text("rename_file", { from: "from", to: "to" })).toContain("from: file changed while edit was being prepared");
  expect(readdirSync(place.workspace)).toEqual(["from"]);
});

it("[T43] what another program wrote into a file of a failing patch stays its own", async () => {
  const { fileSystem } = session.session;
  await seen("a.txt", "a\n");
  await seen("b.txt", "b\n");
  const rename: typeof fileSystem.rename = async (from, to) => {
    if (!to.endsWith("/b.txt")) return fileSystem.rename(from, to);
    place.put("a.txt", "theirs\n");
    throw new FileSystemError("EIO", to, "rename");
  };
  const result = await openFileSession(place, { observations: session.session.observations, replace: { fileSystem: { ...fileSystem, rename } } }).call("apply_patch", {
    patch: ["a", "b"].map((name) => `--- a/${name}.txt\n+++ b/${name}.txt\n@@ -1 +1 @@\n-${name}\n+new\n`).join(""),
  });
  expect(result.status).toBe("outcome_unknown");
  expect(resultText(result)).toContain("a.txt (changed meanwhile) now has the new content or another program's, or is missing");
  expect([place.text("a.txt"), place.text("b.txt")]).toEqual(["theirs\n", "b\n"]);
});

it("a file and a file below it cannot both be added: refused, and no directory is left", async () => {
  const result = await patch("--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n--- /dev/null\n+++ b/n/m\n@@ -0,0 +1 @@\n+x\n");
  expect(result.status).toBe("failed");
  expect(readdirSync(place.workspace)).toEqual([]);
});
