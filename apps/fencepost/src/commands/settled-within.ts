/**
 * What `work` gives, however long it takes, until `interruption`; after that at most `limitMs` more, then undefined.
 * Without an interruption that could come, pass an aborted signal: the limit counts from now.
 */
export async function settledWithin<T>(work: Promise<T>, limitMs: number, interruption: AbortSignal): Promise<T | undefined> {
  const settled = new AbortController();
  const limit = new Promise<undefined>((resolve) => {
    const start = (): void => {
      const timer = setTimeout(() => resolve(undefined), limitMs);
      settled.signal.addEventListener("abort", () => clearTimeout(timer));
    };
    if (interruption.aborted) start();
    else interruption.addEventListener("abort", start, { once: true, signal: settled.signal });
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    settled.abort();
  }
}
