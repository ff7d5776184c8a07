/** Devices that every actor may write. Nothing else below `/dev` is ever writable, and nothing is created there. */
export const deviceRoot = "/dev";

/** Where the kernel itself answers: devices, and what changes other processes or the system without being a file. */
export const kernelRoots = [deviceRoot, "/proc", "/sys"] as const;

export type WritableDevice =
  /** This path alone. */
  | { readonly path: string }
  /** This path followed by a decimal number and nothing else. */
  | { readonly numbered: string };

const everywhere: readonly WritableDevice[] = [{ path: "/dev/null" }, { path: "/dev/zero" }, { path: "/dev/tty" }, { numbered: "/dev/fd/" }];

export function writableDevices(platform: string): readonly WritableDevice[] {
  if (platform === "darwin") return [...everywhere, { numbered: "/dev/ttys" }];
  if (platform === "linux") return [...everywhere, { numbered: "/dev/pts/" }];
  return everywhere;
}

export function isWritableDevice(path: string, devices: readonly WritableDevice[]): boolean {
  if (!path.startsWith("/dev/")) return false;
  return devices.some((device) =>
    "path" in device ? path === device.path : path.startsWith(device.numbered) && /^[0-9]+$/.test(path.slice(device.numbered.length)),
  );
}
