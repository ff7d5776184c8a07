/** A change this close to the look may be followed by one with the same time stamp. */
const distrustMs = 20;

/** The same on a file system that counts whole seconds. */
const wholeSecondDistrustMs = 2000;

const msPerSecond = 1000;

/**
 * Whether a change that comes after the look would show in the time stamp.
 *
 * @param ctimeMs with its fraction, in milliseconds since the epoch, as `lookedAtMs`
 */
export function isTrustedStamp(ctimeMs: number, lookedAtMs: number): boolean {
  return lookedAtMs - ctimeMs > (ctimeMs % msPerSecond === 0 ? wholeSecondDistrustMs : distrustMs);
}

const nsPerMs = 1e6;

/** A time stamp in nanoseconds as milliseconds with a fraction, exact to less than a microsecond. */
export function stampMs(ns: bigint): number {
  return Number(ns) / nsPerMs;
}
