import { createHash } from "node:crypto";
import { TextDecoder } from "node:util";
import { markLength } from "../../edit/byte-order-mark.ts";
import { FileFault } from "../file-fault.ts";
import type { OpenFile } from "../file-system.ts";
import { countBreaks } from "./count-breaks.ts";
import { createLineWindow, type LineWindow, type LineWindowRequest } from "./line-window.ts";
import { encodingOf, type TextEncoding } from "./text-encoding.ts";

/** What is read at once, in bytes. Two such buffers, whatever the size of the file. */
const chunkBytes = 1024 * 1024;

/** The least, for files whose size says nothing, such as those of `/proc`. */
const smallestChunkBytes = 64 * 1024;

export interface WindowRequest extends LineWindowRequest {
  /** Beyond it the file is not read: then there is no total and no hash. */
  readonly maxScanBytes: number;
  readonly signal: AbortSignal;
}

export interface FileWindow {
  readonly lines: readonly string[];
  readonly stoppedByBytes: boolean;
  readonly encoding: TextEncoding;
  /** Of the whole file; undefined where it is larger than `maxScanBytes`. */
  readonly whole: { readonly totalLines: number; readonly sha256: string } | undefined;
}

/**
 * Streams a file once: the wanted lines, the number of all lines, and the hash of all bytes. In bounded memory.
 *
 * @param size as the open file says; it may grow meanwhile, or say 0 and hold something
 */
export async function readWindow(file: OpenFile, size: number, request: WindowRequest): Promise<FileWindow> {
  const tooLarge = size > request.maxScanBytes;
  const scan = createScan(request);
  const length = Math.min(chunkBytes, Math.max(size + 1, smallestChunkBytes));
  let current = createChunk(length);
  let spare: Chunk | undefined;
  let position = 0;
  let reading = fill(file, current, position);
  try {
    for (;;) {
      const count = await reading;
      position += count;
      const more = count === length;
      const next = spare ?? (more ? createChunk(length) : current);
      if (more) reading = fill(file, next, position);
      if (request.signal.aborted) throw new FileFault("cancelled", "The call was cancelled.");
      scan.feed(current, count);
      if (!more) return scan.end();
      if (position > request.maxScanBytes || (tooLarge && scan.window.closed)) return scan.give(undefined);
      [current, spare] = [next, current];
    }
  } finally {
    // The file is closed next: a read must not be under way then.
    await reading.catch(() => undefined);
  }
}

interface Chunk {
  readonly bytes: Buffer;
  readonly words: Int32Array;
}

function createChunk(length: number): Chunk {
  const memory = new ArrayBuffer((length + 3) & ~3);
  return { bytes: Buffer.from(memory, 0, length), words: new Int32Array(memory) };
}

/** Reads until the chunk is full or the file ends. */
async function fill(file: OpenFile, { bytes }: Chunk, position: number): Promise<number> {
  let filled = 0;
  while (filled < bytes.length) {
    const count = await file.read(bytes.subarray(filled), position + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

interface Scan {
  readonly window: LineWindow;
  feed(chunk: Chunk, count: number): void;
  end(): FileWindow;
  give(whole: FileWindow["whole"]): FileWindow;
}

function createScan(request: WindowRequest): Scan {
  const window = createLineWindow(request);
  const digest = createHash("sha256");
  let encoding: TextEncoding | undefined;
  let decoder: TextDecoder | undefined;
  let breaks = 0;
  let last = 10;
  let total = 0;
  let mark = 0;

  const takeText = (text: string): void => {
    const bytes = Buffer.from(text);
    if (!window.closed) window.feed(bytes);
    for (let index = bytes.indexOf(10); index !== -1; index = bytes.indexOf(10, index + 1)) breaks++;
    last = bytes.at(-1) ?? last;
  };

  const decode = (bytes: Buffer | undefined): string => {
    try {
      return decoder?.decode(bytes, { stream: bytes !== undefined }) ?? "";
    } catch {
      throw new FileFault("not_text", `${request.shown} starts like ${encodingName(encoding)} but is not valid ${encodingName(encoding)}. Use bash to look at it, for example with file or iconv.`);
    }
  };

  const give = (whole: FileWindow["whole"]): FileWindow => ({ lines: window.lines, stoppedByBytes: window.stoppedByBytes, encoding: encoding ?? "utf-8", whole });

  return {
    window,
    give,
    feed({ bytes, words }, count) {
      const data = bytes.subarray(0, count);
      if (encoding === undefined) {
        encoding = encodingOf(data);
        mark = markLength(data);
        if (encoding !== "utf-8") decoder = new TextDecoder(encoding, { fatal: true });
      }
      digest.update(data);
      total += count;
      if (decoder !== undefined) return takeText(decode(data));
      if (count === 0) return;
      const inChunk = countBreaks(bytes, words, count);
      // Lines before the window are only counted.
      if (!window.closed && breaks + inChunk + 1 >= request.offset) window.feed(data);
      else if (!window.closed) window.skip(inChunk, count);
      breaks += inChunk;
      last = data[count - 1] ?? last;
    },
    end() {
      if (decoder !== undefined) takeText(decode(undefined));
      // Nothing but a byte order mark is an empty file.
      const blank = total === mark && decoder === undefined;
      if (!blank) window.end();
      return give({ totalLines: breaks + (last === 10 || blank ? 0 : 1), sha256: digest.digest("hex") });
    },
  };
}

export function encodingName(encoding: TextEncoding | undefined): string {
  return (encoding ?? "utf-8").toUpperCase();
}
