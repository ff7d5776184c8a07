import { isUtf8 } from "node:buffer";
import type { ShownLine } from "../search-backend.ts";

export interface LineToShow {
  readonly number: number;
  readonly start: number;
  readonly end: number;
  /** A place in the line that must be visible; -1: none. */
  readonly hit: number;
}

/** A line as it is shown: decoded, without a carriage return at its end, cut to `maxBytes` around the hit. */
export function showLine(text: Buffer, { number, start, end: lineEnd, hit }: LineToShow, maxBytes: number): ShownLine {
  const end = lineEnd > start && text[lineEnd - 1] === 13 ? lineEnd - 1 : lineEnd;
  const place = Math.max(start, Math.min(hit, end));
  // More of the line is never shown; and what is no UTF-8 is longer once it is decoded.
  const from = boundary(text, Math.max(start, place - maxBytes), start);
  const to = boundary(text, Math.min(end, place + maxBytes), place);
  const valid = isUtf8(text.subarray(from, to));
  const before = valid ? text.subarray(from, place) : decoded(text, from, place);
  const bytes = valid ? text.subarray(from, to) : Buffer.concat([before, decoded(text, place, to)]);
  const isWhole = from === start && to === end && bytes.length <= maxBytes;
  return { number, text: isWhole ? bytes.toString("utf8") : cut(bytes, { skipped: from - start, hit: before.length }, maxBytes), context: hit === -1, cut: !isWhole };
}

/** @param part what stands before `bytes` in the line, and where in them the hit is */
function cut(bytes: Buffer, { skipped, hit }: { readonly skipped: number; readonly hit: number }, maxBytes: number): string {
  const mark = `... (line truncated to ${maxBytes} bytes)`;
  if (skipped === 0 && hit <= maxBytes) return bytes.toString("utf8", 0, boundary(bytes, Math.min(bytes.length, maxBytes), 0)) + mark;
  const from = nextBoundary(bytes, Math.max(0, Math.min(hit - maxBytes / 2, bytes.length - maxBytes)));
  const to = boundary(bytes, Math.min(bytes.length, from + maxBytes), from);
  return `(${skipped + from} bytes) ...${bytes.toString("utf8", from, to)}${mark}`;
}

function decoded(text: Buffer, from: number, to: number): Buffer {
  return Buffer.from(text.toString("utf8", from, to));
}

/** The last start of a character at or before `at`. */
function boundary(text: Buffer, at: number, from: number): number {
  let start = Math.floor(at);
  while (start > from && at - start < 4 && (text[start]! & 0xc0) === 0x80) start -= 1;
  return start;
}

/** The first start of a character at or behind `at`. */
function nextBoundary(text: Buffer, at: number): number {
  let start = Math.floor(at);
  while (start < text.length && start - at < 4 && (text[start]! & 0xc0) === 0x80) start += 1;
  return start;
}
