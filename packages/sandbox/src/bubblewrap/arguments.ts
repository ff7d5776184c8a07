import { isUnder } from "../policy/paths.ts";
import type { BytePath } from "../backend/byte-path.ts";
import type { MountPlan } from "./mount-plan.ts";
import type { SocketMasks } from "./sockets.ts";

/** Numbers of descriptors in the runner: its reports, the filter of system calls, the gate before the command; data descriptors follow. */
const statusDescriptor = 3;
const filterDescriptor = 4;
export const gateDescriptor = 5;
export const firstDataDescriptor = 6;

const hardening = ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--disable-userns", "--cap-drop", "ALL", "--die-with-parent", "--seccomp", String(filterDescriptor), "--json-status-fd", String(statusDescriptor), "--block-fd", String(gateDescriptor)] as const;

const ownSystemDirectories = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/proc/1", "--remount-ro", "/proc/1", "--remount-ro", "/proc", "--perms", "1777", "--tmpfs", "/dev/shm", "--remount-ro", "/dev"] as const;

export interface ArgumentInput {
  readonly plan: MountPlan;
  readonly sockets: SocketMasks;
  readonly workingDirectory: BytePath;
  readonly network: "host" | "none";
  readonly terminal: boolean;
}

export interface RunnerArguments {
  /** One character a byte. */
  readonly options: readonly BytePath[];
  /** How many descriptors with nothing to read the runner needs, from the first data descriptor up. */
  readonly emptyDescriptors: number;
}

/**
 * The runner's options. What each part is for:
 * all capabilities are dropped and nested user namespaces refused, so that a root host's command cannot remount
 * anything; `/proc` is read-only as a whole, because root in it may write settings of the kernel without a capability.
 * A filter of system calls, and an empty `/proc/1`, keep process 1, which ends the command's last process, out of its hands.
 */
export function runnerOptions(input: ArgumentInput): RunnerArguments {
  const { plan, sockets } = input;
  let descriptor = firstDataDescriptor;
  const emptyFile = (path: BytePath): readonly string[] => ["--perms", "0000", "--ro-bind-data", String(descriptor++), path];
  const sealed: BytePath[] = [];

  const hidden = sockets.hidden.flatMap((path) => {
    sealed.push(path);
    return ["--tmpfs", path];
  });
  const shown = sockets.shown.flatMap((path) => ["--ro-bind", path, path]);
  // Under a hidden directory a pin would hold a directory of the cover, not of the workspace.
  const uncovered = plan.areas.filter((area) => sockets.hidden.some((path) => isUnder(area, path))).flatMap((area) => ["--ro-bind", area, area]);
  const pins = plan.pins.flatMap((path) => ["--ro-bind", path, path]);

  const mounts = plan.mounts.flatMap((mount) => {
    if (mount.kind === "writable") return ["--bind", mount.path, mount.path];
    if (mount.kind === "read-only") return ["--ro-bind", mount.path, mount.path];
    if (mount.of === "file") return emptyFile(mount.path);
    sealed.push(mount.path);
    if (mount.siblings === undefined) return ["--perms", "0000", "--tmpfs", mount.path];
    return ["--perms", mount.listable ? "0555" : "0111", "--tmpfs", mount.path, ...mount.siblings.flatMap((path) => ["--perms", "0000", "--dir", path])];
  });
  const socketFiles = sockets.sockets.flatMap(emptyFile);

  const options = [
    ...hardening,
    ...(input.network === "none" ? ["--unshare-net"] : []),
    ...(input.terminal ? [] : ["--new-session"]),
    ...ownSystemDirectories,
    ...hidden,
    ...shown,
    ...uncovered,
    ...pins,
    ...mounts,
    ...socketFiles,
    ...sealed.flatMap((path) => ["--remount-ro", path]),
    "--chdir",
    input.workingDirectory,
  ];
  return { options, emptyDescriptors: descriptor - firstDataDescriptor };
}
