/** The longest a command runs where the call does not say, in milliseconds. */
export const defaultTimeoutMs = 30_000;

/** The shortest limit, in milliseconds. */
const minTimeoutMs = 1;

/** The most a session option can raise the ceiling to, in milliseconds. */
export const maxConfigurableTimeoutMs = 600_000;

/** How long a command may run: what was asked, within 1 and the session's ceiling, and never past the deadline. */
export function effectiveLimitMs(askedMs: number, ceilingMs: number, deadline: number | undefined, now: number): number {
  const clamped = Math.max(minTimeoutMs, Math.min(askedMs, ceilingMs, maxConfigurableTimeoutMs));
  return deadline === undefined ? clamped : Math.max(minTimeoutMs, Math.min(clamped, deadline - now));
}
