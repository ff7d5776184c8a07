import { unmetered, type Meter } from "../../regex/automata/meter.ts";
import { compileRegex } from "../../regex/compile.ts";
import { escapeName } from "../../paths/show-path.ts";
import type { ShownLine } from "../search-backend.ts";
import { errorCode } from "./error-code.ts";
import { controlSlots } from "./control.ts";
import { FileReader } from "./file-reader.ts";
import { FileSearch, type FileEnd, type LineSink } from "./file-search.ts";
import { lineEnd, lineStart } from "./lines.ts";
import type { GrepWork, Job } from "./messages.ts";
import type { Outbox } from "./outbox.ts";
import { showLine } from "./shown-line.ts";
import { Stop } from "./stop.ts";

/** Kept by the thread: one buffer for all its searches. */
const reader = new FileReader();

/** As far as it is looked for what matches in another case. */
const maxOtherCaseFiles = 1000;
const maxOtherCaseKilobytes = 8 * 1024;

export interface GrepCounts {
  filesSearched: number;
  unreadable: number;
  binary: number;
  oversized: number;
  binaryMatches: number;
  otherCaseLines: number;
  otherCaseSkipped: number;
  found: number;
}

/** Searches the files of batches, and puts what it finds into the outbox. */
export class GrepFiles {
  readonly #job: Job;
  readonly #outbox: Outbox;
  readonly #taken: (bytes: number) => void;
  readonly #search: FileSearch;
  /** What stands before a path to make it absolute. */
  readonly #prefix: string;
  readonly #work: GrepWork;
  readonly #control: Int32Array;
  readonly #searchOf: (ignoreCase: boolean, readsBinary: boolean) => FileSearch;
  #otherCase: FileSearch | undefined;
  readonly #collector: LineCollector;
  readonly counts: GrepCounts = { filesSearched: 0, unreadable: 0, binary: 0, oversized: 0, binaryMatches: 0, otherCaseLines: 0, otherCaseSkipped: 0, found: 0 };

  constructor(job: Job, work: GrepWork, outbox: Outbox, meter: Meter, taken: (bytes: number) => void) {
    const { multiline, mode } = work;
    this.#searchOf = (ignoreCase, readsBinary) => {
      const regex = compileRegex(work.pattern, { ignoreCase, multiLine: true, crlf: !multiline, withinLine: !multiline });
      return new FileSearch(regex, { multiline, numbersLines: mode === "content" && !readsBinary, readsBinary, maxFileBytes: job.maxFileBytes }, meter);
    };
    this.#prefix = job.rootKind === "file" || job.root === "/" ? job.root : `${job.root}/`;
    this.#work = work;
    this.#control = new Int32Array(job.control);
    this.#job = job;
    this.#outbox = outbox;
    this.#taken = taken;
    this.#search = this.#searchOf(work.ignoreCase, false);
    this.#collector = new LineCollector(work, this.#control, outbox);
  }

  file(path: string): void {
    const absolute = this.#prefix + path;
    const collector = this.#collector;
    try {
      reader.open(absolute);
      collector.start(this.#job.shownPrefix + path);
      const end = this.#search.search(reader, collector, this.#taken);
      this.counts.filesSearched += 1;
      if (end !== "searched") this.counts[end] += 1;
      this.#report();
      if (this.#work.seeksOtherCase && Atomics.load(this.#control, controlSlots.found) === 0) this.#seekOtherCase(end);
      if (end === "binary" && this.#job.rootKind === "file") this.#countBinary(absolute);
    } catch (error) {
      if (error instanceof Stop) this.#report();
      const code = errorCode(error);
      if (code === undefined) throw error;
      if (code !== "ENOENT" && code !== "ELOOP") this.counts.unreadable += 1;
    } finally {
      reader.close();
    }
  }

  /** The search is over for this thread. */
  rest(): void {
    reader.rest();
  }

  #report(): void {
    const { matchingLines, lines } = this.#collector;
    if (matchingLines === 0) return;
    this.counts.found += matchingLines;
    Atomics.store(this.#control, controlSlots.found, 1);
    this.#outbox.file({ path: this.#collector.shown, matchingLines, lines });
  }

  /** Looks at what was just searched once more. A large file, or one file more than enough, is left out. */
  #seekOtherCase(end: FileEnd): void {
    if (end !== "searched") return;
    const text = reader.text;
    const files = Atomics.add(this.#control, controlSlots.otherCaseFiles, 1);
    const kilobytes = Atomics.add(this.#control, controlSlots.otherCaseKilobytes, Math.ceil(text.length / 1024));
    if (!reader.whole || files >= maxOtherCaseFiles || kilobytes >= maxOtherCaseKilobytes) {
      this.counts.otherCaseSkipped += 1;
      return;
    }
    this.#otherCase ??= this.#searchOf(true, false);
    const lines = this.#otherCase.countIn(text);
    if (lines > 0 && reader.isWhereItWas()) this.counts.otherCaseLines += lines;
  }

  /** The one file that was named is binary: say at least whether it matches. */
  #countBinary(absolute: string): void {
    reader.open(absolute);
    const counter: LineSink = {
      begin: () => undefined,
      line: () => {
        if (this.counts.binaryMatches === 0 && !reader.isWhereItWas()) return false;
        this.counts.binaryMatches += 1;
        return true;
      },
      before: (_text, searchedTo) => searchedTo,
      end: () => undefined,
    };
    this.#searchOf(this.#work.ignoreCase, true).search(reader, counter, unmetered);
  }
}

/** The lines of one file: the first with their text and context, all of them for the list. */
class LineCollector implements LineSink {
  readonly #work: GrepWork;
  readonly #control: Int32Array;
  readonly #outbox: Outbox;
  #path = "";
  #prefix: Buffer | undefined;
  #shownTo = 0;
  #owedContext = 0;
  #lastNumber = 0;
  matchingLines = 0;
  lines: ShownLine[] = [];

  constructor(work: GrepWork, control: Int32Array, outbox: Outbox) {
    this.#work = work;
    this.#control = control;
    this.#outbox = outbox;
  }

  start(path: string): void {
    this.#path = path;
    this.#prefix = undefined;
    this.begin();
  }

  get shown(): string {
    return escapeName(this.#path);
  }

  begin(): void {
    this.matchingLines = 0;
    this.lines = [];
    this.#shownTo = 0;
    this.#owedContext = 0;
    this.#lastNumber = 0;
  }

  line(text: Buffer, number: number, start: number, end: number, hit: number): boolean {
    if (this.matchingLines === 0 && !reader.isWhereItWas()) return false;
    this.matchingLines += 1;
    const { mode, maxLinesAFile, maxLineBytes, contextLines } = this.#work;
    if (mode === "files_with_matches") return false;
    if (mode === "count") return true;
    const list = Atomics.load(this.#control, controlSlots.listFull) === 0;
    if (list) this.#outbox.list([(this.#prefix ??= Buffer.from(`${this.shown}:`)), Buffer.from(`${number}:`), withoutReturn(text, start, end), newline]);
    if (this.matchingLines > maxLinesAFile || Atomics.load(this.#control, controlSlots.linesFull) === 1) {
      this.#payContext(text, start);
      this.#owedContext = 0;
      return true;
    }
    if (contextLines > 0) {
      this.#payContext(text, start);
      this.#addBefore(text, number, start);
    }
    this.lines.push(showLine(text, { number, start, end, hit }, maxLineBytes));
    this.#shownTo = end + 1;
    this.#lastNumber = number;
    this.#owedContext = contextLines;
    return true;
  }

  before(text: Buffer, searchedTo: number): number {
    this.#payContext(text, searchedTo);
    let keepFrom = searchedTo;
    for (let count = 0; count < this.#work.contextLines && keepFrom > 0; count += 1) keepFrom = lineStart(text, keepFrom - 1, 0);
    this.#shownTo -= keepFrom;
    return keepFrom;
  }

  end(text: Buffer): void {
    this.#payContext(text, text.length);
  }

  /** The lines after the last match, up to `limit`. */
  #payContext(text: Buffer, limit: number): void {
    while (this.#owedContext > 0 && this.#shownTo < limit && this.#shownTo >= 0) {
      const end = lineEnd(text, this.#shownTo, text.length);
      this.#lastNumber += 1;
      this.lines.push(showLine(text, { number: this.#lastNumber, start: this.#shownTo, end, hit: -1 }, this.#work.maxLineBytes));
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
      this.lines.push(showLine(text, { number: number - starts.length + index, start: at, end, hit: -1 }, this.#work.maxLineBytes));
    });
  }
}

const newline = Buffer.from("\n");

function withoutReturn(text: Buffer, start: number, end: number): Buffer {
  return text.subarray(start, end > start && text[end - 1] === 13 ? end - 1 : end);
}
