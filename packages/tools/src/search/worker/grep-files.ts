import type { Meter } from "../../regex/automata/meter.ts";
import { compileRegex } from "../../regex/compile.ts";
import { PatternError } from "../../regex/pattern-error.ts";
import { errorCode } from "../../files/error-code.ts";
import { controlSlots } from "./control.ts";
import { FileReader } from "../disk/file-reader.ts";
import { FileSearch, type FileEnd, type LineSink } from "./file-search.ts";
import { noCounts, type FileCounts, type FileWork } from "./file-work.ts";
import { hintTimeoutMs } from "./hint-limits.ts";
import { LineCollector } from "./line-collector.ts";
import type { GrepWork, OtherReading, ThreadJob } from "./messages.ts";
import type { Outbox } from "./outbox.ts";
import { prefixOf } from "./prefix-of.ts";
import { Stop } from "./stop.ts";

/** Kept by the thread: one buffer for all its searches. */
const reader = new FileReader();

/** In so many files it is counted what other readings of the pattern match, where nothing was found. */
const maxSecondLookFiles = 1000;

/** How much of those files is looked through, in KiB. */
const maxSecondLookKibibytes = 8 * 1024;

interface CompiledReading {
  readonly counts: OtherReading["counts"];
  readonly search: FileSearch;
}

/** Searches the files of batches, and puts what it finds into the outbox. */
export class GrepFiles implements FileWork {
  readonly #job: ThreadJob;
  readonly #outbox: Outbox;
  readonly #taken: (bytes: number) => void;
  readonly #search: FileSearch;
  /** What stands before a path to make it absolute. */
  readonly #prefix: string;
  readonly #work: GrepWork;
  readonly #control: Int32Array;
  readonly #searchOf: (pattern: string, options: { readonly ignoreCase: boolean; readonly numbersLines: boolean; readonly readsBinary: boolean }) => FileSearch;
  #readings: readonly CompiledReading[] | undefined;
  readonly #collector: LineCollector;
  readonly counts: FileCounts = { ...noCounts };
  readonly newest = [];

  constructor(job: ThreadJob, work: GrepWork, outbox: Outbox, meter: Meter, taken: (bytes: number) => void) {
    const { multiline, mode } = work;
    this.#searchOf = (pattern, { ignoreCase, ...options }) => {
      const regex = compileRegex(pattern, { ignoreCase, multiLine: true, crlf: true, withinLine: !multiline });
      return new FileSearch(regex, { multiline, ...options, maxFileBytes: job.maxFileBytes }, meter);
    };
    this.#prefix = job.rootKind === "file" ? job.root : prefixOf(job.root);
    this.#work = work;
    this.#control = new Int32Array(job.control);
    this.#job = job;
    this.#outbox = outbox;
    this.#taken = taken;
    this.#search = this.#searchOf(work.pattern, { ignoreCase: work.ignoreCase, numbersLines: mode === "content", readsBinary: false });
    this.#collector = new LineCollector(work, this.#control, outbox);
  }

  file(path: string): void {
    const absolute = this.#prefix + path;
    const collector = this.#collector;
    try {
      collector.start(this.#job.shownPrefix + path);
      reader.open(absolute, { shortReadsEnd: this.#job.onPlainDisk });
      const end = this.#search.search(reader, collector, this.#taken);
      this.counts.filesSearched += 1;
      // Of what does not lie where it was looked for nothing is told, not even that it is binary.
      if (end !== "searched" && !reader.isWhereItWas()) return;
      const matched = this.#report();
      if (end !== "searched") this.counts[matched ? "cutShort" : end] += 1;
      if (this.#work.otherReadings.length > 0 && Atomics.load(this.#control, controlSlots.found) === 0) this.#lookAgain(end);
      if (end === "binary" && !matched && this.#job.rootKind === "file") this.#countBinary(absolute);
    } catch (error) {
      this.#report();
      const code = error instanceof Stop ? undefined : errorCode(error);
      if (code === undefined) throw error;
      if (code !== "ENOENT" && code !== "ELOOP") this.counts.unreadable += 1;
    } finally {
      reader.close();
    }
  }

  rest(): void {
    reader.rest();
  }

  /** Whether there was something to report. */
  #report(): boolean {
    const { matchingLines, lines } = this.#collector.take();
    if (matchingLines === 0) return false;
    this.counts.found += matchingLines;
    Atomics.store(this.#control, controlSlots.found, 1);
    this.#outbox.file({ path: this.#collector.shown, matchingLines, lines });
    return true;
  }

  /** Looks at what was just searched once more. A large file, or one file more than enough, is left out. */
  #lookAgain(end: FileEnd): void {
    if (end !== "searched") return;
    const text = reader.text;
    const files = Atomics.add(this.#control, controlSlots.secondLookFiles, 1);
    const kibibytes = Atomics.add(this.#control, controlSlots.secondLookKibibytes, Math.ceil(text.length / 1024));
    if (this.#search.isCostly || !reader.whole || files >= maxSecondLookFiles || kibibytes >= maxSecondLookKibibytes) {
      this.counts.secondLookSkipped += 1;
      return;
    }
    this.#readings ??= this.#work.otherReadings.flatMap((reading) => this.#compiled(reading));
    for (const { counts, search } of this.#readings) {
      if (search.isCostly || (counts === "anyLineEndLines" && !text.includes("\r\n"))) continue;
      const lines = search.countIn(text);
      if (lines > 0 && reader.isWhereItWas()) this.counts[counts] += lines;
    }
  }

  /** Nothing of a reading that is larger than a pattern may be. */
  #compiled({ counts, pattern, ignoreCase }: OtherReading): readonly CompiledReading[] {
    try {
      return [{ counts, search: this.#searchOf(pattern, { ignoreCase, numbersLines: false, readsBinary: false }) }];
    } catch (error) {
      if (error instanceof PatternError) return [];
      throw error;
    }
  }

  /** The one file that was named is binary: say at least whether it matches, as far as the budget and a hint's time go. */
  #countBinary(absolute: string): void {
    reader.open(absolute, { shortReadsEnd: this.#job.onPlainDisk });
    const counter: LineSink = {
      line: () => {
        this.counts.binaryMatches += 1;
        return true;
      },
      keepFrom: (_text, searchedTo) => searchedTo,
      end: () => undefined,
    };
    const untilMs = Date.now() + hintTimeoutMs;
    let bytesLeft = this.#job.maxBytes - Atomics.load(this.#control, controlSlots.kibibytesTaken) * 1024;
    const taken = (bytes: number): void => {
      bytesLeft -= bytes;
      if (bytesLeft < 0 || Date.now() > untilMs) throw new Stop("budget");
    };
    try {
      this.#searchOf(this.#work.pattern, { ignoreCase: this.#work.ignoreCase, numbersLines: false, readsBinary: true }).search(reader, counter, taken);
    } catch (error) {
      if (!(error instanceof Stop) || error.reason !== "budget") throw error;
      this.counts.secondLookSkipped += 1;
    }
  }
}
