import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bundleProcess } from "./bundle-process.ts";
import { makeFilePlace, type FilePlace } from "./file-session.ts";

/** Mounting takes root and a mount namespace of one's own. */
const mayMount = process.platform === "linux" && process.geteuid?.() === 0 && spawnSync("unshare", ["-m", "true"]).status === 0;

describe.runIf(mayMount)("what the kernel answers of mounts", () => {
  let place: FilePlace;
  let bundle: string;
  let script: string;

  beforeAll(async () => {
    bundle = mkdtempSync(join(tmpdir(), "fencepost-mounts-"));
    script = await bundleProcess("writer-process", bundle);
  });

  afterAll(() => rmSync(bundle, { recursive: true, force: true }));

  beforeEach(() => {
    place = makeFilePlace();
  });

  afterEach(() => place.remove());

  /** Mounts, as the shell commands say with `$1` and `$2`, then writes `lines` lines to a file, and looks at it. */
  function writeMounted(mount: string, paths: readonly [string, string], file: string, lines: number): { readonly result: string; readonly content: string; readonly entries: string } {
    const after = `${mount} && "$3" "$4" "$5" write-once ${lines} "$6" && echo --- && head -c 100 "$5/work/$6" && echo --- && ls -A "$(dirname "$5/work/$6")"`;
    const { status, stdout, stderr } = spawnSync("unshare", ["-m", "sh", "-c", after, "sh", ...paths, process.execPath, script, place.root, file], { encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
    const [result = "", content = "", entries = ""] = stdout.split("---\n");
    return { result: result.trim(), content, entries: entries.trim() };
  }

  it("W-08 a file that is a mount point cannot be replaced, and is written in place", () => {
    const source = join(place.outside, "source.txt");
    writeFileSync(source, "old\n");
    place.put("mounted.txt", "beneath\n");
    const { result, content, entries } = writeMounted('mount --bind "$1" "$2"', [source, place.at("mounted.txt")], "mounted.txt", 2);
    expect(result).toBe("Overwrote mounted.txt (+2 -1)");
    expect(content).toBe("new line\nnew line\n");
    expect(entries).toBe("mounted.txt");
    expect(readFileSync(source, "utf8")).toBe("new line\nnew line\n");
    expect(place.text("mounted.txt")).toBe("beneath\n");
    expect(readdirSync(join(place.home, ".fencepost/journal"))).toEqual([]);
  });

  it("a full disk changes nothing, leaves nothing and says so", () => {
    mkdirSync(place.at("small"));
    const { result, content, entries } = writeMounted('mount -t tmpfs -o size=64k "$1" "$2" && echo old > "$2/f.txt"', ["tmpfs", place.at("small")], "small/f.txt", 20_000);
    expect(result).toBe("The disk is full, so small/f.txt could not be written. Nothing was changed; free some space and try again.");
    expect(content).toBe("old\n");
    expect(entries).toBe("f.txt");
  });

  it("a disk that is mounted read-only changes nothing and says so", () => {
    mkdirSync(place.at("fixed"));
    const { result, content } = writeMounted('mount -t tmpfs "$1" "$2" && echo old > "$2/f.txt" && mount -o remount,ro "$2"', ["tmpfs", place.at("fixed")], "fixed/f.txt", 2);
    expect(result).toBe("fixed/f.txt is on a read-only file system. Nothing was changed; write to another place.");
    expect(content).toBe("old\n");
  });
});
