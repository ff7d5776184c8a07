import type { Meter } from "../../regex/automata/meter.ts";
import type { Regex } from "../../regex/regex.ts";
import type { FileReader } from "../disk/file-reader.ts";
import { LineFinder } from "./line-finder.ts";
import { countNewlines, lineEnd, lineStart } from "./lines.ts";

/** Told of every matching line of a file, in order. */
export interface LineSink {
  /** @param hit a place in or just behind the first match. False: no more lines of this file are wanted. */
  line(text: Buffer, number: number, start: number, end: number, hit: number): boolean;
  /** The text moves, after it was searched so far. Returns from where on it must stay. */
  keepFrom(text: Buffer, searchedTo: number): number;
  end(text: Buffer): void;
}

export type FileEnd = "searched" | "binary" | "oversized";

export interface FileSearchOptions {
  readonly multiline: boolean;
  readonly numbersLines: boolean;
  /** A NUL does not end the search: for the one file that was named. */
  readonly readsBinary: boolean;
  readonly maxFileBytes: number;
}

/** Searches one file after another with one pattern. */
export class FileSearch {
  readonly #regex: Regex;
  readonly #finder: LineFinder;
  readonly #options: FileSearchOptions;
  readonly #meter: Meter;
  #reader: FileReader | undefined;
  /** The number of the line at `counted`, a place in the file. */
  #line = 1;
  #counted = 0;
  /** Asked at the first line of a file. */
  #placeConfirmed = false;

  constructor(regex: Regex, options: FileSearchOptions, meter: Meter) {
    this.#regex = regex;
    this.#finder = new LineFinder(regex, meter);
    this.#options = options;
    this.#meter = meter;
  }

  /** Searches what `reader` has open. Bytes are counted through `taken`. */
  search(reader: FileReader, sink: LineSink, taken: (bytes: number) => void): FileEnd {
    const { multiline, readsBinary, maxFileBytes } = this.#options;
    this.#begin(reader);
    if (maxFileBytes < Number.MAX_SAFE_INTEGER && reader.fileBytes > maxFileBytes) return "oversized";
    let total = 0;
    for (let at = 0; ; ) {
      const scanned = reader.text.length;
      const count = reader.fill();
      total += count;
      taken(count);
      this.#meter();
      // It has grown meanwhile.
      if (total > maxFileBytes) return "oversized";
      const { text } = reader;
      const nul = readsBinary ? -1 : text.indexOf(0, scanned);
      const isLast = reader.ended || nul !== -1;
      const end = nul !== -1 ? lineStart(text, nul, 0) : isLast ? text.length : text.lastIndexOf(10) + 1;
      if (!isLast && (multiline || end <= at)) {
        if (!reader.grow()) return "oversized";
        continue;
      }
      const lines = end === text.length ? text : text.subarray(0, end);
      if (end > at && !this.#lines(lines, at, sink)) return "searched";
      if (isLast) {
        sink.end(lines);
        return nul === -1 ? "searched" : "binary";
      }
      const keepFrom = sink.keepFrom(text, end);
      if (reader.decodes) this.#countTo(text, keepFrom);
      reader.drop(keepFrom);
      at = end - keepFrom;
    }
  }

  /** To search the same once more, for a hint, would cost too much. */
  get isCostly(): boolean {
    return this.#regex.isCostly;
  }

  /** The matching lines of a text that is all there. Whether it lies where it was looked for is the caller's question. */
  countIn(text: Buffer): number {
    let count = 0;
    this.#begin(undefined);
    this.#lines(text, 0, { line: () => ((count += 1), true), keepFrom: () => 0, end: () => undefined });
    return count;
  }

  #begin(reader: FileReader | undefined): void {
    this.#finder.reset();
    this.#reader = reader;
    this.#line = 1;
    this.#counted = 0;
    this.#placeConfirmed = false;
  }

  #lines(text: Buffer, from: number, sink: LineSink): boolean {
    if (this.#options.multiline) return this.#spans(text, from, sink);
    const finder = this.#finder;
    let at = from;
    while (at < text.length && finder.next(text, at)) {
      if (this.#options.numbersLines) this.#countTo(text, finder.start);
      if (!this.#hand(sink, text, finder.start, finder.end, finder.hit)) return false;
      at = finder.end + 1;
    }
    return true;
  }

  /** Every line that a match touches. */
  #spans(text: Buffer, from: number, sink: LineSink): boolean {
    let nextLine = from;
    for (let at = from; at <= text.length; ) {
      this.#meter();
      const span = this.#regex.findSpan(text, from, text.length, this.#meter, at);
      if (!span || (span.start === text.length && text[span.start - 1] === 10)) return true;
      const last = Math.max(span.start, span.end > span.start && text[span.end - 1] === 10 ? span.end - 1 : span.end);
      // Back to the line's beginning once a line, not once a match.
      for (let start = span.start < nextLine ? nextLine : lineStart(text, span.start, nextLine); start <= last && start < text.length; ) {
        const end = lineEnd(text, start, text.length);
        if (this.#options.numbersLines) this.#countTo(text, start);
        if (!this.#hand(sink, text, start, end, Math.min(end, Math.max(start, span.start)))) return false;
        start = end + 1;
        nextLine = start;
      }
      at = span.end > span.start ? span.end : span.end + 1;
    }
    return true;
  }

  /** Nothing is told of a file that does not lie where it was looked for. */
  #hand(sink: LineSink, text: Buffer, start: number, end: number, hit: number): boolean {
    if (!this.#placeConfirmed) {
      if (this.#reader?.isWhereItWas() === false) return false;
      this.#placeConfirmed = true;
    }
    return sink.line(text, this.#line, start, end, hit);
  }

  /** Most files have no match, and their lines are never counted: what is gone by then is read again. */
  #countTo(text: Buffer, place: number): void {
    const begin = this.#reader?.dropped ?? 0;
    if (begin + place <= this.#counted) return;
    if (this.#counted < begin) {
      this.#reader?.readAgain(this.#counted, begin, (bytes) => {
        this.#meter();
        this.#line += countNewlines(bytes, 0, bytes.length);
      });
      this.#counted = begin;
    }
    this.#line += countNewlines(text, this.#counted - begin, place);
    this.#counted = begin + place;
  }
}
