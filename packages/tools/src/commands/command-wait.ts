/** The longest a call waits for a background command, in milliseconds. */
export const maxYieldMs = 119_000;

/** A shorter wait than this, other than none, is not worth a call. */
export const minYieldMs = 250;

/** How long to wait: what was asked, but never past the deadline. */
export function waitLimitMs(askedMs: number, deadline: number | undefined): number {
  return deadline === undefined ? askedMs : Math.max(0, Math.min(askedMs, deadline - Date.now()));
}
