import { shorten } from "../paths/shorten.ts";
import type { Count, EarlyEnd } from "./search-backend.ts";

/** Why a search did not see everything. */
export function endedEarly(stopped: EarlyEnd, timeoutMs: number): string {
  return stopped === "timeout" ? `search timed out after ${timeoutMs / 1000}s` : "the scan budget is used up";
}

/** The most of a pattern that a text repeats, in characters. */
const maxShownPatternCharacters = 200;

export function shownPattern(pattern: string): string {
  return shorten(pattern, maxShownPatternCharacters);
}

export function reasonsText(reasons: readonly string[]): string {
  return reasons.length === 0 ? "" : ` (${reasons.join(", ")})`;
}

/** `12 files …`, `at least 12 files …`; nothing for none. */
export function counted({ atLeast, exact }: Count, one: string, many: string): readonly string[] {
  if (atLeast === 0) return [];
  return [`${exact ? "" : "at least "}${atLeast} ${atLeast === 1 ? one : many}`];
}

export function exactly(number: number): Count {
  return { atLeast: number, exact: true };
}

export function unreadableNote(unreadable: number): readonly string[] {
  return unreadable === 0 ? [] : [`[${unreadable} ${unreadable === 1 ? "path" : "paths"} could not be read]`];
}
