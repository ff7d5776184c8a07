import { describe, expect, it } from "vitest";
import { mountFault, type PlannedMounts } from "../../src/bubblewrap/mount-check.ts";
import { parseMountInfo } from "../../src/policy/host/mount-info.ts";

const host = ["20 1 8:1 / / rw,relatime - ext4 /dev/sda rw", "21 20 8:2 / /home rw - ext4 /dev/sdb rw", "22 20 0:5 / /proc rw - proc proc rw", "23 21 8:3 / /home/u/ws/disk rw - ext4 /dev/sdc rw"].join("\n");

const planned: PlannedMounts = {
  writable: new Set(["/home/u/ws"]),
  readOnly: new Set(["/home/u/ws/.git"]),
  covers: new Set(["/home/u/.ssh", "/run"]),
  topmost: new Set(["/home/u/.ssh"]),
};

const good = [
  "100 1 8:1 / / ro,relatime - ext4 /dev/sda rw",
  "101 100 8:2 / /home ro - ext4 /dev/sdb rw",
  "102 101 8:3 / /home/u/ws/disk ro - ext4 /dev/sdc rw",
  "103 100 0:9 / /dev rw - tmpfs tmpfs rw",
  "104 103 0:6 /null /dev/null rw - devtmpfs devtmpfs rw",
  "105 100 0:5 / /proc ro - proc proc rw",
  "106 100 0:10 / /run ro - tmpfs tmpfs rw",
  "107 101 8:2 /u/ws /home/u/ws rw,nosuid - ext4 /dev/sdb rw",
  "108 107 8:3 / /home/u/ws/disk rw - ext4 /dev/sdc rw",
  "109 101 0:11 / /home/u/.ssh ro - tmpfs tmpfs rw",
  "110 107 8:2 /u/ws/.git /home/u/ws/.git ro - ext4 /dev/sdb rw",
];

const faultOf = (lines: readonly string[]): string | undefined => mountFault(lines.join("\n"), host, planned);
const without = (part: string): readonly string[] => good.filter((line) => !line.includes(part));

describe("whether the mounts of a sandbox are the planned ones", () => {
  it("[P5] the planned ones are, with the machine's own mounts below a writable directory", () => {
    expect(faultOf(good)).toBeUndefined();
  });

  it.each([
    ["a writable directory is missing", without(" /home/u/ws rw"), "/home/u/ws is not mounted writable"],
    ["a protection is missing", without("/.git "), "/home/u/ws/.git is not mounted read-only"],
    ["a cover is missing", without(".ssh"), "/home/u/.ssh is not covered"],
    ["a protection is writable", good.map((line) => line.replace(".git ro", ".git rw")), "/home/u/ws/.git is not mounted read-only"],
    ["the writable directory shows another one", good.map((line) => line.replace("/u/ws /home", "/u/.ssh /home")), "/home/u/ws is not mounted writable"],
    ["a protection shows a credential", good.map((line) => line.replace("/u/ws/.git /home", "/u/.ssh /home")), "/home/u/ws/.git is not mounted read-only"],
    ["the writable directory shows another disk", good.map((line) => line.replace("8:2 /u/ws /home", "8:1 /u/ws /home")), "/home/u/ws is not mounted writable"],
    ["one more is writable", [...good, "111 101 8:2 /u/other /home/u/other rw - ext4 /dev/sdb rw"], "/home/u/other is mounted, which was not planned"],
    ["one more is read-only", [...good, "111 101 8:2 /u /home/u ro - ext4 /dev/sdb rw"], "/home/u is mounted, which was not planned"],
    ["one more lies over a cover", [...good, "111 109 8:2 /u/.ssh /home/u/.ssh ro - ext4 /dev/sdb rw"], "/home/u/.ssh is not covered"],
    ["one of the machine's own comes again, over a cover", [...good, "111 101 8:2 / /home ro - ext4 /dev/sdb rw"], "/home is mounted over a cover"],
    ["one of the machine's own comes again, writable", [...good.slice(0, 7), "111 101 8:2 / /home rw - ext4 /dev/sdb rw", ...good.slice(7)], "/home is mounted writable, which was not planned"],
    ["the machine itself is writable", good.map((line) => line.replace(" / / ro", " / / rw")), "/ is not read-only"],
    ["there is nothing", [], "/ is not read-only"],
    ["a mounted directory has gone", good.map((line) => line.replace("/u/ws/.git /home/u/ws/.git ", "/u/ws/.git//deleted /home/u/ws/.git ")), "/home/u/ws/.git is not mounted read-only"],
  ])("[P5] not where %s", (_, lines, fault) => {
    expect(faultOf(lines)).toBe(fault);
  });

  it("reads names with spaces, tabs, line breaks, backslashes, hashes, hyphens and bytes that are no UTF-8, and optional fields", () => {
    const [mount] = parseMountInfo("36 35 98:0 /a\\040-\\011b /x\\012y\\134z\\043\xff rw,noatime master:1 shared:2 - ext3 /dev/root rw");
    expect(mount).toEqual({ device: "98:0", root: "/a -\tb", point: "/x\ny\\z#\xff", writable: true, type: "ext3" });
  });

  it("a mount of a name that only looks like a hyphen is read by its fields", () => {
    expect(parseMountInfo("1 2 0:1 - - ro - tmpfs none rw")[0]).toMatchObject({ root: "-", point: "-", writable: false, type: "tmpfs" });
  });
});
