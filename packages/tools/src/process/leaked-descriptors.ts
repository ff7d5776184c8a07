import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";

/** `O_CLOEXEC` as Linux writes it into `/proc/self/fdinfo`: the same on every architecture Node runs on but sparc and alpha. */
const closeOnExec = 0o2000000;

/** A start that would have to cover a descriptor above this is refused. */
const maxCoveredDescriptor = 1023;

/**
 * Descriptors of this process above 2 that a child would inherit. Node opens none such, but whoever started this
 * process may have left some open, and a command must not find them. (macOS closes all others by itself.)
 */
export function leakedDescriptors(): readonly number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc/self/fd").map(Number).filter((descriptor) => descriptor > 2 && isInherited(descriptor));
}

function isInherited(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    return false;
  }
}

/**
 * The descriptors of a child from 0 up, with `/dev/null` in the place of each leaked one that nothing else takes.
 * `run` gets the list; what was opened for it is closed afterwards.
 */
export function withLeaksCovered<T>(descriptors: readonly (number | "pipe" | "ignore")[], run: (covered: (number | "pipe" | "ignore")[]) => T): T {
  const leaks = leakedDescriptors().filter((descriptor) => descriptor >= descriptors.length);
  const highest = Math.max(descriptors.length - 1, ...leaks);
  if (highest > maxCoveredDescriptor) throw new Error(`descriptor ${highest} of this process would reach the command; close it`);
  if (leaks.length === 0) return run([...descriptors]);
  const nothing = openSync("/dev/null", "r");
  try {
    const places = Array.from({ length: highest + 1 }, (_, place) => descriptors[place] ?? (leaks.includes(place) ? nothing : "ignore"));
    return run(places);
  } finally {
    closeSync(nothing);
  }
}
