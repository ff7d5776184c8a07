/** An answer is good for one call. Remembers the used ones for as long as they could be sent again. */
export interface SpentAnswers {
  /** True the first time. */
  spend(nonce: string): boolean;
}

export function createSpentAnswers(lifetimeSeconds: number, now: () => number = Date.now): SpentAnswers {
  const spent = new Map<string, number>();
  return {
    spend(nonce) {
      for (const [old, until] of spent) {
        if (until > now()) break;
        spent.delete(old);
      }
      if (spent.has(nonce)) return false;
      spent.set(nonce, now() + lifetimeSeconds * 1000);
      return true;
    },
  };
}
