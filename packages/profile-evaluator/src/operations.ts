import { rejected } from "./profile-error.ts";

/**
 * Operations and the wildcard each belongs to. `default` is above them all. Only those that our profiles and the
 * profiles of the tests name: another one is taken for unknown.
 */
const parents: Readonly<Record<string, string>> = {
  "file*": "default",
  "file-read*": "file*",
  "file-read-data": "file-read*",
  "file-read-metadata": "file-read*",
  "file-read-xattr": "file-read*",
  "file-write*": "file*",
  "file-write-acl": "file-write*",
  "file-write-create": "file-write*",
  "file-write-data": "file-write*",
  "file-write-flags": "file-write*",
  "file-write-mode": "file-write*",
  "file-write-mount": "file-write*",
  "file-write-owner": "file-write*",
  "file-write-setugid": "file-write*",
  "file-write-times": "file-write*",
  "file-write-unlink": "file-write*",
  "file-write-unmount": "file-write*",
  "file-write-xattr": "file-write*",
  "file-chroot": "file*",
  "file-clone": "file*",
  "file-ioctl": "file*",
  "file-issue-extension": "file*",
  // Not a kind of writing: a profile that denies `file-write*` still lets hard links be made.
  "file-link": "file*",
  "file-map-executable": "file*",
  "file-revoke": "file*",
  "file-test-existence": "file*",
  "ipc*": "default",
  "ipc-posix*": "ipc*",
  "ipc-posix-sem": "ipc-posix*",
  "ipc-posix-shm": "ipc-posix*",
  "mach*": "default",
  "mach-lookup": "mach*",
  "mach-register": "mach*",
  "network*": "default",
  "network-bind": "network*",
  "network-inbound": "network*",
  "network-outbound": "network*",
  "process*": "default",
  "process-exec*": "process*",
  "process-exec": "process-exec*",
  "process-exec-interpreter": "process-exec*",
  "process-fork": "process*",
  "process-info*": "process*",
  "sysctl*": "default",
  "sysctl-read": "sysctl*",
  "sysctl-write": "sysctl*",
  "system*": "default",
  "system-socket": "system*",
  "appleevent-send": "default",
  "job-creation": "default",
  lsopen: "default",
  "pseudo-tty": "default",
  signal: "default",
  "user-preference-read": "default",
  "user-preference-write": "default",
};

export function requireOperation(name: string): string {
  if (name !== "default" && !Object.hasOwn(parents, name)) throw rejected(`unknown operation ${name}`);
  return name;
}

/** An operation and the wildcards above it, the most specific first, `default` last. */
export function lineageOf(operation: string): readonly string[] {
  const lineage = [requireOperation(operation)];
  for (let parent = parents[operation]; parent !== undefined; parent = parents[parent]) lineage.push(parent);
  return lineage;
}
