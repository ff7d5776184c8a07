import { programName } from "./command-wrappers.ts";
import type { BlockedCommand } from "./blocked-command.ts";
import type { ReachedCommand } from "./command-tree.ts";
import type { ShellWord } from "./shell-grammar.ts";

type BlockKey = Exclude<BlockedCommand["key"], "host_rule" | "fork_bomb">;

/** Directories without which the system does not run. */
const systemRoots: ReadonlySet<string> = new Set(
  "/ /bin /boot /dev /etc /home /lib /lib32 /lib64 /opt /proc /root /run /sbin /srv /sys /usr /var /Applications /Library /System /Users /private".split(" "),
);

const deviceFormatters = /^(mkfs(\..+)?|mke2fs|mkswap|wipefs|fdisk|sfdisk|cfdisk|gdisk|sgdisk|parted|blkdiscard|newfs(_.+)?)$/;

/** Whole disks and partitions, not the harmless devices. */
const blockDevice = /^\/dev\/(sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|dm-|md|loop|mapper\/|sr|nbd|zd)/;

const shutdownPrograms: ReadonlySet<string> = new Set(["shutdown", "reboot", "halt", "poweroff"]);

const shutdownVerbs: ReadonlySet<string> = new Set(["reboot", "poweroff", "halt", "kexec", "soft-reboot"]);

/** Why one command is on the fixed list, or undefined. */
export function blockOf(command: ReachedCommand): BlockKey | undefined {
  const program = programName(command.words[0]) ?? "";
  const args = command.words.slice(1);
  if (command.wrappers.includes("sudo")) return "sudo";
  if (command.writes.some(isBlockDevice) || writesDevice(program, args)) return "block_device";
  if (program === "rm" && isRecursive(args) && args.some(isSystemRoot)) return "remove_system_root";
  if (/^(chmod|chown|chgrp)$/.test(program) && isRecursive(args) && args.some(isSystemRoot)) return "change_system_root";
  if (shutdownPrograms.has(program)) return "shutdown";
  if (program === "systemctl" && args.some((word) => shutdownVerbs.has(word.value ?? ""))) return "shutdown";
  if (/^(init|telinit)$/.test(program) && /^[06]$/.test(args[0]?.value ?? "")) return "shutdown";
  return undefined;
}

function writesDevice(program: string, args: readonly ShellWord[]): boolean {
  if (deviceFormatters.test(program)) return args.some(isBlockDevice);
  if (program === "dd") return args.some((word) => word.prefix.startsWith("of=") && blockDevice.test(word.prefix.slice(3)));
  return /^(tee|shred|cp|mv)$/.test(program) && isBlockDevice(args.at(-1));
}

function isBlockDevice(word: ShellWord | undefined): boolean {
  return blockDevice.test(word?.prefix ?? "");
}

function isRecursive(args: readonly ShellWord[]): boolean {
  return args.some(({ prefix }) => (prefix.startsWith("--") ? prefix.length > 4 && "--recursive".startsWith(prefix) : /^-[a-zA-Z]*[rR]/.test(prefix)));
}

/** `/`, `/*`, `/usr/`, `//etc/.`: a system directory or everything in it. */
function isSystemRoot(word: ShellWord): boolean {
  const written = word.value ?? (word.text === `${word.prefix}*` ? word.prefix : "");
  if (!written.startsWith("/")) return false;
  const segments = written.split("/").filter((segment) => segment !== "" && segment !== "." && segment !== "*");
  return !segments.includes("..") && systemRoots.has(`/${segments.join("/")}`);
}
