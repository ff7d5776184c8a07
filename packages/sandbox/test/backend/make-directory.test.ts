import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeDirectory } from "@fencepost/sandbox";

let place: string;
beforeEach(() => (place = mkdtempSync(join(tmpdir(), "fencepost-make-"))));
afterEach(() => rmSync(place, { recursive: true, force: true }));

describe("makeDirectory", () => {
  it("makes what is missing, for its owner only, and leaves what is there", () => {
    mkdirSync(join(place, "a"), { mode: 0o755 });
    for (let turn = 0; turn < 2; turn += 1) makeDirectory(join(place, "a/b/c"));
    expect(["a", "a/b", "a/b/c"].map((path) => statSync(join(place, path)).mode & 0o777)).toEqual([0o755, 0o700, 0o700]);
    symlinkSync(join(place, "a"), join(place, "link"));
    makeDirectory(join(place, "link/d"));
    expect(existsSync(join(place, "a/d"))).toBe(true);
  });

  it("fails as mkdir does where something else is in the way", () => {
    writeFileSync(join(place, "file"), "");
    for (const path of ["file", "file/a", "file/a/b"]) expect(() => makeDirectory(join(place, path))).toThrow(/EEXIST|ENOTDIR/);
    symlinkSync(join(place, "absent/x"), join(place, "dangling"));
    expect(() => makeDirectory(join(place, "dangling"))).toThrow("EEXIST");
  });

  it.runIf(process.platform === "linux")("returns where the kernel takes no directories, whatever lies in between", () => {
    for (const path of ["/proc/fencepost", "/proc/fencepost/a/b", "/proc/self/fencepost/a", "/sys/fencepost/a", "/dev/fd/fencepost/a"]) expect(() => makeDirectory(path)).toThrow(/ENOENT|EPERM|EACCES|EROFS/);
  });
});
