import { describe, expect, it } from "vitest";
import { mountAliases } from "../../../src/policy/host/mount-aliases.ts";

const line = (device: string, root: string, point: string): string => `1 1 ${device} ${root} ${point} rw,relatime - ext4 /dev/x rw\n`;
const root = line("8:1", "/", "/");

describe("second names of a place", () => {
  it("[P7] are found where a mount shows a directory above it, the place itself, or a part of it", () => {
    const text = root + line("8:1", "/", "/mnt/wslg/distro") + line("8:1", "/home/u/.ssh", "/srv/keys") + line("8:1", "/home/u/.ssh/old", "/srv/old") + line("8:1", "/home/other", "/srv/other") + line("8:2", "/", "/data");
    expect(mountAliases(["/home/u/.ssh"], text)).toEqual(["/mnt/wslg/distro/home/u/.ssh", "/srv/keys", "/srv/old"]);
  });

  it("[P7] are found for a home of its own file system, whose directory in it has another name", () => {
    const text = root + line("0:30", "/@home", "/home") + line("0:30", "/", "/btrfs\\040root");
    expect(mountAliases(["/home/u/.netrc"], text)).toEqual(["/btrfs root/@home/u/.netrc"]);
  });

  it("[P7] are none where nothing is shown twice, or the kernel does not tell", () => {
    expect(mountAliases(["/home/u/.ssh"], root + line("8:2", "/", "/data"))).toEqual([]);
    expect(mountAliases(["/home/u/.ssh"], "")).toEqual([]);
  });
});
