import type { Meter } from "../../regex/automata/meter.ts";
import type { Regex } from "../../regex/regex.ts";
import type { FileReader } from "./file-reader.ts";
import { LineFinder } from "./line-finder.ts";
import { countNewlines, lineEnd, lineStart } from "./lines.ts";

/** Told of every matching line of a file, in order. */
export interface LineSink {
  /** Once a file, before the first line. */
  begin(): void;
  /** @param hit a place in or just behind the first match. False: no more lines of this file are wanted. */
  line(text: Buffer, number: number, start: number, end: number, hit: number): boolean;
  /** The text moves, after it was searched so far. Returns from where on it must stay. */
  before(text: Buffer, searchedTo: number): number;
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

  constructor(regex: Regex, options: FileSearchOptions, meter: Meter) {
    this.#regex = regex;
    this.#finder = new LineFinder(regex, meter);
    this.#options = options;
    this.#meter = meter;
  }

  /** Searches what `reader` has open. Bytes are counted through `taken`. */
  search(reader: FileReader, sink: LineSink, taken: (bytes: number) => void): FileEnd {
    this.#finder.reset();
    this.#reader = reader;
    this.#line = 1;
    this.#counted = 0;
    let at = 0;
    let total = 0;
    for (let first = true; ; first = false) {
      const scanned = reader.text.length;
      const count = reader.fill();
      total += count;
      taken(count);
      if (total > this.#options.maxFileBytes) return "oversized";
      this.#meter();
      const encoded = first ? this.#decode(reader) : undefined;
      const text = encoded ?? reader.text;
      if (first && !encoded && text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf) at = 3;
      const nul = encoded || this.#options.readsBinary ? -1 : text.indexOf(0, scanned);
      if (this.#options.multiline && !reader.ended && !encoded && nul === -1) {
        if (!reader.grow()) return "oversized";
        continue;
      }
      const last = reader.ended || encoded ? text.length : nul === -1 ? text.lastIndexOf(10) + 1 : lineStart(text, nul, 0);
      const end = nul === -1 ? last : lineStart(text, nul, 0);
      if (end === 0 && !reader.ended && nul === -1) {
        if (!reader.grow()) return "oversized";
        continue;
      }
      if (end > at && !this.#lines(text.subarray(0, end), at, sink)) return "searched";
      if (nul !== -1 || reader.ended || encoded) {
        sink.end(text.subarray(0, end));
        return nul === -1 ? "searched" : "binary";
      }
      const keepFrom = sink.before(text, end);
      reader.drop(keepFrom);
      at = end - keepFrom;
    }
  }

  /** The matching lines of a text that is all there. */
  countIn(text: Buffer): number {
    let count = 0;
    this.#finder.reset();
    this.#lines(text, 0, { begin: () => undefined, line: () => ((count += 1), true), before: () => 0, end: () => undefined });
    return count;
  }

  #lines(text: Buffer, from: number, sink: LineSink): boolean {
    if (this.#options.multiline) return this.#spans(text, from, sink);
    const finder = this.#finder;
    let at = from;
    while (at < text.length && finder.next(text, at)) {
      if (this.#options.numbersLines) this.#countTo(text, finder.start);
      if (!sink.line(text, this.#line, finder.start, finder.end, finder.hit)) return false;
      at = finder.end + 1;
    }
    return true;
  }

  /** Every line that a match touches. */
  #spans(text: Buffer, from: number, sink: LineSink): boolean {
    let nextLine = from;
    for (let at = from; at <= text.length; ) {
      if (this.#regex.findEnd(text, lineStart(text, at, from), text.length, this.#meter) === -1) return true;
      const span = this.#regex.findSpan(text, from, text.length, at, this.#meter);
      if (!span || (span.start === text.length && text[span.start - 1] === 10)) return true;
      const last = Math.max(span.start, span.end > span.start && text[span.end - 1] === 10 ? span.end - 1 : span.end);
      for (let start = Math.max(nextLine, lineStart(text, span.start, from)); start <= last && start < text.length; ) {
        const end = lineEnd(text, start, text.length);
        this.#countTo(text, start);
        if (!sink.line(text, this.#line, start, end, Math.min(end, Math.max(start, span.start)))) return false;
        start = end + 1;
        nextLine = start;
      }
      at = span.end > span.start ? span.end : span.end + 1;
    }
    return true;
  }

  /** Most files have no match, and their lines are never counted: what is gone by then is read again. */
  #countTo(text: Buffer, place: number): void {
    const begin = this.#reader?.dropped ?? 0;
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

  /** UTF-16 with a byte order mark as UTF-8; undefined for everything else. */
  #decode(reader: FileReader): Buffer | undefined {
    const [first, second] = reader.text;
    const littleEndian = first === 0xff && second === 0xfe;
    const bigEndian = first === 0xfe && second === 0xff;
    if (!littleEndian && !bigEndian) return undefined;
    while (!reader.ended && reader.grow()) reader.fill();
    const units = Buffer.from(reader.text.subarray(2, reader.text.length - (reader.text.length % 2)));
    return Buffer.from((bigEndian ? units.swap16() : units).toString("utf16le"), "utf8");
  }
}
