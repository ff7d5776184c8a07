import { footerReserveBytes, resultTextBytes } from "@fencepost/contract";
import type { FileMatches, GrepMode, ShownLine } from "./search-backend.ts";

/** The most lines that one result of grep shows. */
export const maxShownLines = 250;

/** The most matching lines of one file that it shows. */
export const maxShownLinesAFile = 50;

/** The most files it names in the modes that show no lines. */
const maxShownFiles = 250;

/** The most of one line that it shows, in bytes. */
export const maxShownLineBytes = 2000;

const maxBodyBytes = resultTextBytes - footerReserveBytes;

/** Builds the text of a result as files arrive, up to the caps; after that it only counts. */
export class GrepText {
  readonly #mode: GrepMode;
  readonly #contextLines: number;
  readonly #parts: string[] = [];
  #bytes = 0;
  #full = false;
  #cut = false;
  shownLines = 0;
  shownFiles = 0;
  matchingLines = 0;
  files = 0;

  constructor(mode: GrepMode, contextLines: number) {
    this.#mode = mode;
    this.#contextLines = contextLines;
  }

  /** True: nothing more is shown. */
  get full(): boolean {
    return this.#full;
  }

  /** Something was left out of the text. */
  get leftOut(): boolean {
    return this.#cut || this.#full;
  }

  get text(): string {
    return this.#parts.join("\n");
  }

  add(file: FileMatches): void {
    this.matchingLines += file.matchingLines;
    this.files += 1;
    if (this.#full) return;
    if (this.#mode === "content") this.#addLines(file);
    else this.#addFile(this.#mode === "count" ? `${file.path}:${file.matchingLines}` : file.path);
  }

  #addFile(line: string): void {
    if (this.shownFiles >= maxShownFiles || !this.#put(line, 0)) this.#full = true;
    else this.shownFiles += 1;
  }

  #addLines(file: FileMatches): void {
    let header = this.shownFiles === 0 ? `${file.path}\n` : `\n${file.path}\n`;
    // Kept free until the file is done: how many digits it needs is not known before.
    const reserve = sizeOf(moreNote(file.matchingLines));
    let shown = 0;
    let lastNumber: number | undefined;
    for (const block of blocks(file.lines, this.#contextLines)) {
      const matches = block.some((line) => !line.context);
      const gap = this.#contextLines > 0 && lastNumber !== undefined && block[0]!.number > lastNumber + 1 ? "--\n" : "";
      this.#full = (matches && this.shownLines >= maxShownLines) || !this.#put(header + gap + block.map(lineText).join("\n"), reserve);
      if (this.#full) break;
      header = "";
      lastNumber = block.at(-1)?.number;
      this.#cut ||= block.some((line) => line.cut);
      shown += Number(matches);
      this.shownLines += Number(matches);
    }
    if (header === "") this.shownFiles += 1;
    if (shown >= file.matchingLines) return;
    this.#cut = true;
    if (shown > 0) this.#put(moreNote(file.matchingLines - shown), 0);
  }

  /** @param reserve bytes that must still be free behind it */
  #put(text: string, reserve: number): boolean {
    const bytes = sizeOf(text);
    if (this.#bytes + bytes + reserve > maxBodyBytes) return false;
    this.#bytes += bytes;
    this.#parts.push(text);
    return true;
  }
}

/** What is shown together or not at all: a match with the lines before it, or one line after a match. */
function blocks(lines: readonly ShownLine[], contextLines: number): readonly (readonly ShownLine[])[] {
  const found: ShownLine[][] = [];
  let before: ShownLine[] = [];
  let lastMatch = Number.NEGATIVE_INFINITY;
  for (const line of lines) {
    if (line.context && line.number > lastMatch + contextLines) {
      before.push(line);
      continue;
    }
    found.push([...before, line]);
    before = [];
    if (!line.context) lastMatch = line.number;
  }
  return found;
}

function lineText({ number, context, text }: ShownLine): string {
  return `${number}${context ? "-" : ":"}${text}`;
}

function moreNote(lines: number): string {
  return `(+${lines} more matching lines in this file)`;
}

/** With the line break behind it. */
function sizeOf(text: string): number {
  return Buffer.byteLength(text) + 1;
}
