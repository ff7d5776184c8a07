import { readlinkSync } from "node:fs";

/**
 * Where what is open as `descriptor` lies now, on Linux.
 *
 * @throws an errno error that is none of a path that vanished: then nothing is known of any file, and none may be told of
 */
export function placeOf(descriptor: number): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    throw Object.assign(new Error("/proc is not there to tell where an open file lies"), { code: "ENOSYS" });
  }
}
