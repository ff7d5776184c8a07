import { readFileSync } from "node:fs";

/** Why the sandbox cannot be used: one clause, and one line that a person can act on. */
export interface Diagnosis {
  readonly reason: string;
  readonly remedy: string;
}

interface Known {
  readonly pattern: RegExp;
  /** A setting of the kernel that must have this value, too. */
  readonly setting?: readonly [path: string, value: string];
  readonly reason: string;
  readonly remedy: string;
}

const known: readonly Known[] = [
  {
    // The last is what 0.8 says when it may not close the door to nested namespaces behind itself.
    pattern: /disable-userns|setuid|cannot open \/proc\/sys\/user\/max_user_namespaces: Permission denied/i,
    reason: "bubblewrap is installed setuid and cannot be hardened that way",
    remedy: "Remove the setuid bit: chmod u-s /usr/bin/bwrap.",
  },
  {
    pattern: /PR_SET_SECCOMP|seccomp/i,
    reason: "the kernel takes no filter of system calls",
    remedy: "Use a kernel with CONFIG_SECCOMP_FILTER (those of the distributions have it), and no emulation of another processor.",
  },
  {
    pattern: /setting up uid map: Permission denied|Creating new namespace failed: Permission denied|loopback: Failed RTM_NEWADDR/i,
    setting: ["/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1"],
    reason: "AppArmor refuses user namespaces to bubblewrap",
    remedy: "Give bwrap an AppArmor profile with `userns,` (Ubuntu: apt install apparmor-profiles, then copy bwrap-userns-restrict to /etc/apparmor.d and reload), or: sysctl kernel.apparmor_restrict_unprivileged_userns=0.",
  },
  {
    pattern: /No permissions to create new namespace|Creating new namespace failed|setting up uid map|unshare|No space left on device/i,
    setting: ["/proc/sys/kernel/unprivileged_userns_clone", "0"],
    reason: "the kernel refuses user namespaces to ordinary users",
    remedy: "Allow them: sysctl kernel.unprivileged_userns_clone=1.",
  },
  {
    pattern: /Creating new namespace failed|setting up uid map|No space left on device/i,
    setting: ["/proc/sys/user/max_user_namespaces", "0"],
    reason: "the kernel's limit of user namespaces is 0",
    remedy: "Raise it: sysctl user.max_user_namespaces=15000.",
  },
  {
    pattern: /Can't mount proc|mount proc|Failed to mount proc/i,
    reason: "this machine is a container that does not allow a new /proc, so nested sandboxes cannot be made",
    remedy: "Run Fencepost outside the container, or start the container with an unmasked /proc (docker: --security-opt systempaths=unconfined --security-opt seccomp=unconfined).",
  },
  {
    pattern: /Creating new namespace failed|setting up uid map|No permissions to create new namespace|Operation not permitted|pivot_root|Failed to make \/ slave/i,
    reason: "user namespaces are refused here, as in a container or a sandbox that is already nested",
    remedy: "Run Fencepost outside the container, or allow it user namespaces (docker: --security-opt seccomp=unconfined --security-opt apparmor=unconfined).",
  },
];

/** Reads what bwrap said about its own failure. `read`: the text of a kernel setting. */
export function diagnose(output: string, read: (path: string) => string | undefined = textOf): Diagnosis {
  const found = known.find(({ pattern, setting }) => pattern.test(output) && (setting === undefined || read(setting[0]) === setting[1]));
  if (found !== undefined) return { reason: found.reason, remedy: found.remedy };
  const said = output.split("\n").find((line) => line.startsWith("bwrap: "))?.slice(0, 200);
  return { reason: said === undefined ? "bubblewrap could not start a command" : `bubblewrap could not start a command (${said})`, remedy: "Run `fencepost doctor` for what was found." };
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1").trim();
  } catch {
    return undefined;
  }
}
