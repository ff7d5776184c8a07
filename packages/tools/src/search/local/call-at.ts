/** A timer of Node that would run longer fires at once, in milliseconds. */
const maxTimerMs = 2 ** 31 - 1;

/** Calls `action` at a time, in milliseconds since the epoch, unless the returned function is called before. Never, where that is weeks away. */
export function callAt(time: number, action: () => void): () => void {
  const delay = Math.max(0, time - Date.now());
  if (delay > maxTimerMs) return () => undefined;
  const timer = setTimeout(action, delay);
  return () => clearTimeout(timer);
}
