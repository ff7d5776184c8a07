import { isAscii, isUtf8 } from "node:buffer";
import { FileFault } from "../file-fault.ts";

/** Characters (code points) of a line that are shown. */
const maxLineCharacters = 2000;

/** Bytes of a line that are kept while the rest streams by: enough for 2,000 characters of four bytes. */
const keptLineBytes = 8000;

const cutMark = `... (line truncated to ${maxLineCharacters} chars)`;

export interface LineWindowRequest {
  /** For texts. */
  readonly shown: string;
  /** First line wanted, from 1. */
  readonly offset: number;
  readonly limit: number;
  /** Bytes of all rendered lines together, their line breaks included. */
  readonly maxBytes: number;
}

/** Collects the wanted lines of a file that streams by, rendered as `{n}\t{text}`. */
export interface LineWindow {
  /** Takes the next bytes: they start where the last ended. */
  feed(bytes: Buffer): void;
  /** Passes over bytes that hold `breaks` line breaks and end before the first wanted line begins. */
  skip(breaks: number, bytes: number): void;
  /** The file has ended: a last line without a line break is complete. */
  end(): void;
  /** No further line will be taken. */
  readonly closed: boolean;
  readonly stoppedByBytes: boolean;
  readonly lines: readonly string[];
}

export function createLineWindow({ shown, offset, limit, maxBytes }: LineWindowRequest): LineWindow {
  const lines: string[] = [];
  let number = 1;
  let position = 0;
  let used = 0;
  let stoppedByBytes = false;
  let started = false;
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let lineBytes = 0;
  let lastByte = 0;

  const closed = (): boolean => stoppedByBytes || lines.length >= limit;

  const take = (piece: Buffer): void => {
    started = true;
    const nul = piece.indexOf(0);
    if (nul !== -1) throw binaryFault(shown, number, position + nul);
    lineBytes += piece.length;
    lastByte = piece.at(-1) ?? lastByte;
    const room = keptLineBytes - keptBytes;
    if (room <= 0) return;
    const part = Buffer.from(piece.subarray(0, room));
    kept.push(part);
    keptBytes += part.length;
  };

  const push = (text: string, bytes: number): void => {
    const rendered = `${number}\t${text}`;
    const size = rendered.length - text.length + bytes + (lines.length > 0 ? 1 : 0);
    if (used + size > maxBytes) stoppedByBytes = true;
    else {
      lines.push(rendered);
      used += size;
    }
  };

  const finish = (): void => {
    // The carriage return of a line break is not one of the line's bytes.
    const overflow = lineBytes - Number(lastByte === 13) > keptLineBytes;
    const bytes = kept.length === 1 ? (kept[0] ?? empty) : Buffer.concat(kept);
    const text = renderLine(bytes, overflow, number, shown);
    push(text, Buffer.byteLength(text));
    [kept, keptBytes, lineBytes, lastByte, started] = [[], 0, 0, 0, false];
  };

  return {
    lines,
    get closed() {
      return closed();
    },
    get stoppedByBytes() {
      return stoppedByBytes;
    },
    feed(bytes) {
      let start = 0;
      const plain = isPlain(bytes);
      while (start < bytes.length && !closed()) {
        const found = bytes.indexOf(10, start);
        const end = found === -1 ? bytes.length : found;
        if (plain && !started && found !== -1 && number >= offset) {
          const text = renderPlain(bytes, start, end);
          push(text, text.length);
        } else if (number >= offset) {
          take(bytes.subarray(start, end));
          if (found !== -1) finish();
        }
        position += (found === -1 ? end : found + 1) - start;
        start = found === -1 ? bytes.length : found + 1;
        if (found !== -1) number++;
      }
    },
    skip(breaks, bytes) {
      number += breaks;
      position += bytes;
    },
    end() {
      if (started && lineBytes > 0 && !closed()) finish();
    },
  };
}

const empty = Buffer.alloc(0);

/** Each byte is a character of its own that may be shown: nearly all sources are such. */
function isPlain(bytes: Buffer): boolean {
  return isAscii(bytes) && !bytes.includes(0);
}

/** `renderLine` for a stretch of plain bytes. */
function renderPlain(bytes: Buffer, start: number, end: number): string {
  const lineEnd = end > start && bytes[end - 1] === 13 ? end - 1 : end;
  return lineEnd - start <= maxLineCharacters ? bytes.toString("latin1", start, lineEnd) : bytes.toString("latin1", start, start + maxLineCharacters) + cutMark;
}

function renderLine(bytes: Buffer, overflow: boolean, number: number, shown: string): string {
  const whole = overflow ? bytes.subarray(0, bytes.length - partialCharacter(bytes)) : bytes;
  if (!isUtf8(whole)) {
    throw new FileFault("not_text", `${shown} is not valid UTF-8 at line ${number}, so it cannot be shown as text. Use bash to look at it, for example with file, iconv or xxd.`);
  }
  let text = whole.toString("utf8");
  if (number === 1 && text.startsWith("\uFEFF")) text = text.slice(1);
  if (!overflow && text.endsWith("\r")) text = text.slice(0, -1);
  if (!overflow && text.length <= maxLineCharacters) return text;
  const characters = Array.from(text);
  return !overflow && characters.length <= maxLineCharacters ? text : characters.slice(0, maxLineCharacters).join("") + cutMark;
}

/** How many bytes at the end belong to a character that goes on behind it. */
function partialCharacter(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}

export function binaryFault(shown: string, line: number, position: number): FileFault {
  return new FileFault("not_text", `${shown} is binary: there is a NUL at byte ${position} (line ${line}). It cannot be shown as text; use bash to look at it, for example with file or xxd.`);
}
