import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DirectoryHandle } from "../../src/quarantine/directory-handle.ts";
import { moveEntry } from "../../src/quarantine/move-entry.ts";

let place: string;
beforeEach(() => (place = realpathSync(mkdtempSync(join(tmpdir(), "fencepost-handle-")))));
afterEach(() => rmSync(place, { recursive: true, force: true }));

// A platform without names below a descriptor goes by the path.
describe.each([["by its path", true], ...(process.platform === "linux" ? [["by its descriptor", false] as const] : [])] as const)("a directory held %s", (_how, byPath) => {
  it("lists, moves and reads what is in it, and is not entered through a link", () => {
    mkdirSync(join(place, "a/b"), { recursive: true });
    mkdirSync(join(place, "to"));
    writeFileSync(join(place, "a/b/\u00fc"), "text");
    symlinkSync(join(place, "a"), join(place, "link"));
    const [from, to] = [DirectoryHandle.open(join(place, "a"), { byPath }), DirectoryHandle.open(join(place, "to"), { byPath })];
    const child = from.child("b");
    const [name = ""] = child.names();
    moveEntry(child, name, to, "moved");
    expect([child.names(), readFileSync(join(place, "to/moved"), "utf8")]).toEqual([[], "text"]);
    for (const handle of [child, from, to]) handle.close();
    expect(() => DirectoryHandle.open(join(place, "link/b"), { byPath })).toThrow(/ENOTDIR|ELOOP/);
  });
});
