import { anyLineEnd } from "../any-line-end.ts";
import { plainPattern } from "../plain-pattern.ts";
import type { GrepRequest } from "../search-backend.ts";
import type { OtherReading } from "../worker/messages.ts";

/** Longer patterns are not compiled again, for what else they may mean. */
const maxReadAgainCharacters = 200;

/** What a pattern that matches nothing may have been meant to say. */
export function otherReadings({ pattern, ignoreCase, multiline }: Pick<GrepRequest, "pattern" | "ignoreCase" | "multiline">): readonly OtherReading[] {
  if (pattern.length > maxReadAgainCharacters) return [];
  const readings: OtherReading[] = [];
  if (!ignoreCase && /\p{L}/u.test(pattern)) readings.push({ counts: "otherCaseLines", pattern, ignoreCase: true });
  // A dot alone stands for itself as well.
  if (/[\\^$*+?()[\]{}|]/u.test(pattern)) readings.push({ counts: "plainTextLines", pattern: plainPattern(pattern), ignoreCase });
  const forAnyLineEnd = multiline ? anyLineEnd(pattern) : pattern;
  if (forAnyLineEnd !== pattern) readings.push({ counts: "anyLineEndLines", pattern: forAnyLineEnd, ignoreCase });
  return readings;
}
