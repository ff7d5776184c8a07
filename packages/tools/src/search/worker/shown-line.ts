import type { ShownLine } from "../search-backend.ts";

export interface LineToShow {
  readonly number: number;
  readonly start: number;
  readonly end: number;
  /** A place in the line that must be visible; -1: none. */
  readonly hit: number;
}

/** A line as it is shown: decoded, without a carriage return at its end, cut to `maxBytes` around the hit. */
export function showLine(text: Buffer, line: LineToShow, maxBytes: number): ShownLine {
  const context = line.hit === -1;
  const end = line.end > line.start && text[line.end - 1] === 13 ? line.end - 1 : line.end;
  if (end - line.start <= maxBytes) return { number: line.number, text: text.toString("utf8", line.start, end), context, cut: false };
  const mark = `... (line truncated to ${maxBytes} bytes)`;
  if (line.hit - line.start <= maxBytes) {
    return { number: line.number, text: text.toString("utf8", line.start, boundary(text, line.start + maxBytes, line.start)) + mark, context, cut: true };
  }
  const from = nextBoundary(text, Math.min(line.hit - maxBytes / 2, end - maxBytes), end);
  const to = boundary(text, Math.min(end, from + maxBytes), from);
  const before = `(${from - line.start} bytes) ...`;
  return { number: line.number, text: before + text.toString("utf8", from, to) + mark, context, cut: true };
}

/** The last start of a character at or before `at`. */
function boundary(text: Buffer, at: number, from: number): number {
  let cut = Math.floor(at);
  while (cut > from && at - cut < 4 && (text[cut]! & 0xc0) === 0x80) cut -= 1;
  return cut;
}

/** The first start of a character at or behind `at`. */
function nextBoundary(text: Buffer, at: number, to: number): number {
  let start = Math.floor(at);
  while (start < to && start - at < 4 && (text[start]! & 0xc0) === 0x80) start += 1;
  return start;
}
