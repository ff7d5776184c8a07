import { markLength, withoutMark } from "./byte-order-mark.ts";
import { explainMiss } from "./explain-miss.ts";
import { findMatches, withoutOverlaps } from "./find-matches.ts";
import { foldBreaks, foldText } from "./folded-bytes.ts";
import { adaptBreaks, breakFinder } from "./line-breaks.ts";
import { breaksBetween, lineAt, listLines } from "./line-numbers.ts";
import { matchTolerantly } from "./tolerant-match.ts";

export interface EditRequest {
  /** How the file is called in texts. */
  readonly name: string;
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll: boolean;
  readonly matching: "exact" | "tolerant";
  /** The largest result, in bytes. */
  readonly maxBytes: number;
}

export type EditOutcome =
  | {
      readonly edited: true;
      readonly bytes: Buffer;
      /** How many places were replaced. */
      readonly count: number;
      /** Where the new content of the first place now stands, lines from 1. */
      readonly firstLine: number;
      readonly lastLine: number;
      /** How it matched, where not exactly: `ignoring indentation`. */
      readonly tolerance?: string;
    }
  /** `problem`: what is wrong and what to do, for the model. */
  | { readonly edited: false; readonly problem: string };

/** A replaced stretch of the file's true bytes, end exclusive. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * Replaces text in a file's bytes: strict UTF-8 in, every untouched byte stays. Matching is exact, but a line break
 * matches `\n` and `\r\n`, and inserted ones take the form of their neighbours. `newString` is literal.
 */
export function applyEdit(file: Buffer, request: EditRequest): EditOutcome {
  const mark = markLength(file);
  const body = file.subarray(mark);
  const folded = foldBreaks(body);
  const exact = (needle: string): readonly number[] => findMatches(folded.bytes, Buffer.from(needle));
  let oldText = foldText(request.oldString);
  let newText = foldText(request.newString);
  let found = exact(oldText);
  if (found.length === 0 && oldText !== withoutMark(oldText)) {
    // A mark that the model copied is not part of the text.
    [oldText, newText] = [withoutMark(oldText), withoutMark(newText)];
    found = exact(oldText);
  }
  if (oldText === "") return problem("oldString holds nothing but a byte order mark. Give the text to replace.");
  if (found.length === 0) return tolerantOrMiss(file, mark, oldText, newText, request);
  if (found.length > 1 && !request.replaceAll) return problem(severalText(request.name, folded.bytes, found));
  const length = Buffer.byteLength(oldText);
  const places = withoutOverlaps(found, length).map((start) => folded.range(start, start + length));
  return splice(file, mark, places, newText, request);
}

function tolerantOrMiss(file: Buffer, mark: number, oldText: string, newText: string, request: EditRequest): EditOutcome {
  const text = file.subarray(mark).toString("utf8");
  const match = request.matching === "exact" ? notTried : matchTolerantly(text, oldText);
  if (match.kind === "none") return problem(`oldString was not found in ${request.name}: ${explainMiss(text, oldText)}`);
  if (match.kind === "refused") return problem(match.problem);
  const start = Buffer.byteLength(text.slice(0, match.start));
  const end = start + Buffer.byteLength(text.slice(match.start, match.end));
  const outcome = splice(file, mark, [{ start, end }], newText, request);
  return outcome.edited ? { ...outcome, tolerance: match.tolerance } : outcome;
}

const notTried = { kind: "none" } as const;

function splice(file: Buffer, mark: number, places: readonly Place[], newText: string, { name, maxBytes }: EditRequest): EditOutcome {
  const body = file.subarray(mark);
  const parts: Buffer[] = [file.subarray(0, mark)];
  let size = mark;
  let position = 0;
  const push = (part: Buffer): void => {
    size += part.length;
    if (size <= maxBytes) parts.push(part);
  };
  let first = { start: mark, end: mark };
  const breakNear = breakFinder(body);
  for (const place of places) {
    if (size > maxBytes) break;
    push(body.subarray(position, place.start));
    const text = adaptBreaks(newText, body.toString("utf8", place.start, place.end), () => breakNear(place.end));
    if (position === 0 && place === places[0]) first = { start: size, end: size + Buffer.byteLength(text) };
    push(Buffer.from(text));
    position = place.end;
  }
  push(body.subarray(position));
  if (size > maxBytes) return problem(`${name} would grow beyond ${maxBytes} bytes, the most an edited file may have. Make a smaller change.`);
  const bytes = Buffer.concat(parts);
  if (bytes.equals(file)) return problem(`${name} would not change: newString is the same as the text there once its line breaks have the file's form. Give a newString that differs.`);
  return { edited: true, bytes, count: places.length, ...standsAt(bytes, first) };
}

/** The lines a stretch touches; a line break at its end does not count as the next line. */
function standsAt(bytes: Buffer, { start, end }: Place): { readonly firstLine: number; readonly lastLine: number } {
  // No line begins behind the last line break.
  const last = Math.max(0, bytes.at(-1) === 10 ? bytes.length - 1 : bytes.length);
  const firstLine = lineAt(bytes, Math.min(start, last));
  const lastByte = Math.min(end > start ? end - 1 : start, last);
  return { firstLine, lastLine: firstLine + breaksBetween(bytes, Math.min(start, last), lastByte) };
}

function severalText(name: string, bytes: Uint8Array, found: readonly number[]): string {
  return `oldString has ${found.length} matches in ${name}, at ${listLines(bytes, found)}. Add surrounding lines to make it unique, or set replaceAll.`;
}

function problem(text: string): EditOutcome {
  return { edited: false, problem: text };
}
