import type { SearchScope } from "../search-backend.ts";
import { callAt } from "./call-at.ts";

/**
 * True once `before` has settled, false where the deadline comes first.
 *
 * @throws the signal's reason where it fires first
 */
export function turnComes(before: Promise<unknown>, { deadline, signal }: Pick<SearchScope, "deadline" | "signal">): Promise<boolean> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const settle = (end: () => void): void => {
      forget();
      signal.removeEventListener("abort", leave);
      end();
    };
    const leave = (): void => settle(() => reject(signal.reason));
    const forget = callAt(deadline, () => settle(() => resolve(false)));
    signal.addEventListener("abort", leave, { once: true });
    void before.then(() => settle(() => resolve(true)));
  });
}
