import { isUtf8 } from "node:buffer";
import type { ShownLine } from "../search-backend.ts";
import { controlSlots } from "./control.ts";
import type { LineSink } from "./file-search.ts";
import { lineEnd, lineStart } from "./lines.ts";
import type { GrepWork } from "./messages.ts";
import type { Outbox } from "./outbox.ts";
import { resultPath } from "./result-path.ts";
import { showLine } from "./shown-line.ts";

const lineBreak = Buffer.from("\n");

/** A line that is shown or saved is decoded in pieces of so many bytes. */
const decodedBytes = 64 * 1024;

/** What is kept of a file to show lines before a match: longer ones are left out, so that a match is not. */
const maxKeptContextBytes = 16 * 1024 * 1024;

/** The lines of one file: the first with their text and context, all of them for the list. */
export class LineCollector implements LineSink {
  readonly #work: GrepWork;
  readonly #control: Int32Array;
  readonly #outbox: Outbox;
  #path = "";
  #prefix: Buffer | undefined;
  #shownTo = 0;
  #owedContext = 0;
  #lastNumber = 0;
  #matchingLines = 0;
  #lines: ShownLine[] = [];

  constructor(work: GrepWork, control: Int32Array, outbox: Outbox) {
    this.#work = work;
    this.#control = control;
    this.#outbox = outbox;
  }

  /** Before each file. */
  start(path: string): void {
    this.#path = path;
    this.#prefix = undefined;
    this.take();
    this.#shownTo = 0;
    this.#owedContext = 0;
    this.#lastNumber = 0;
  }

  /** What was collected of the file, and is not taken twice. */
  take(): { readonly matchingLines: number; readonly lines: readonly ShownLine[] } {
    const taken = { matchingLines: this.#matchingLines, lines: this.#lines };
    this.#matchingLines = 0;
    if (taken.lines.length > 0) this.#lines = [];
    return taken;
  }

  get shown(): string {
    return resultPath(this.#path);
  }

  line(text: Buffer, number: number, start: number, end: number, hit: number): boolean {
    this.#matchingLines += 1;
    const { mode, maxLinesAFile, maxLineBytes, contextLines } = this.#work;
    if (mode === "files_with_matches") return false;
    if (mode === "count") return true;
    if (Atomics.load(this.#control, controlSlots.listFull) === 0) this.#list(text, number, start, end);
    if (this.#matchingLines > maxLinesAFile || Atomics.load(this.#control, controlSlots.linesFull) === 1) {
      this.#payContext(text, start);
      this.#owedContext = 0;
      return true;
    }
    if (contextLines > 0) {
      this.#payContext(text, start);
      this.#addBefore(text, number, start);
    }
    this.#lines.push(showLine(text, { number, start, end, hit }, maxLineBytes));
    this.#shownTo = end + 1;
    this.#lastNumber = number;
    this.#owedContext = contextLines;
    return true;
  }

  keepFrom(text: Buffer, searchedTo: number): number {
    this.#payContext(text, searchedTo);
    let from = searchedTo;
    for (let count = 0; count < this.#work.contextLines && from > 0; count += 1) {
      const start = lineStart(text, from - 1, 0);
      if (searchedTo - start > maxKeptContextBytes) break;
      from = start;
    }
    this.#shownTo -= from;
    return from;
  }

  end(text: Buffer): void {
    this.#payContext(text, text.length);
  }

  /** The list is read as text later: what is no UTF-8 in a line becomes U+FFFD. */
  #list(text: Buffer, number: number, start: number, end: number): void {
    const line = text.subarray(start, end > start && text[end - 1] === 13 ? end - 1 : end);
    this.#prefix ??= Buffer.from(`${this.shown}:`);
    const place = [this.#prefix, Buffer.from(`${number}:`)];
    if (isUtf8(line)) return this.#outbox.list([...place, line, lineBreak]);
    this.#outbox.list(place);
    this.#listDecoded(line);
  }

  /** In pieces: as a whole, a long line would take several times its length. */
  #listDecoded(line: Buffer): void {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    for (let at = 0; at < line.length; at += decodedBytes) this.#outbox.list([Buffer.from(decoder.decode(line.subarray(at, at + decodedBytes), { stream: true }))]);
    this.#outbox.list([Buffer.from(decoder.decode()), lineBreak]);
  }

  /** The lines after the last match, up to `limit`. */
  #payContext(text: Buffer, limit: number): void {
    while (this.#owedContext > 0 && this.#shownTo < limit && this.#shownTo >= 0) {
      const end = lineEnd(text, this.#shownTo, text.length);
      this.#lastNumber += 1;
      this.#lines.push(showLine(text, { number: this.#lastNumber, start: this.#shownTo, end, hit: -1 }, this.#work.maxLineBytes));
      this.#shownTo = end + 1;
      this.#owedContext -= 1;
    }
  }

  #addBefore(text: Buffer, number: number, start: number): void {
    const starts: number[] = [];
    for (let at = start; starts.length < this.#work.contextLines && at > Math.max(0, this.#shownTo); ) {
      at = lineStart(text, at - 1, 0);
      starts.unshift(at);
    }
    starts.forEach((at, index) => {
      const end = lineEnd(text, at, text.length);
      this.#lines.push(showLine(text, { number: number - starts.length + index, start: at, end, hit: -1 }, this.#work.maxLineBytes));
    });
  }
}
