import { footerReserveBytes, resultTextBytes } from "@fencepost/contract";
import type { FileMatches } from "./search-backend.ts";

/** What a result of grep shows at most. */
export const maxShownLines = 250;
export const maxShownLinesAFile = 50;
const maxShownFiles = 250;
export const maxShownLineBytes = 2000;

/** Kept free within the body for "(+N more …)". */
const moreReserveBytes = 64;

const maxBodyBytes = resultTextBytes - footerReserveBytes;

/** Builds the text of a result as files arrive, up to the caps; after that it only counts. */
export class GrepText {
  readonly #mode: "content" | "files_with_matches" | "count";
  readonly #parts: string[] = [];
  #bytes = 0;
  #full = false;
  #cut = false;
  shownLines = 0;
  shownFiles = 0;
  matchingLines = 0;
  files = 0;

  constructor(mode: "content" | "files_with_matches" | "count") {
    this.#mode = mode;
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
    if (this.shownFiles >= maxShownFiles || !this.#put(line)) this.#full = true;
    else this.shownFiles += 1;
  }

  #addLines(file: FileMatches): void {
    if (this.shownLines >= maxShownLines || !this.#put(this.shownFiles === 0 ? file.path : `\n${file.path}`)) {
      this.#full = true;
      return;
    }
    this.shownFiles += 1;
    let shown = 0;
    let previous: number | undefined;
    for (const line of file.lines) {
      if (!line.context && this.shownLines >= maxShownLines) {
        this.#full = true;
        break;
      }
      const gap = previous !== undefined && this.#hasContext(file) && line.number > previous + 1 ? "--\n" : "";
      if (!this.#put(`${gap}${line.number}${line.context ? "-" : ":"}${line.text}`)) {
        this.#full = true;
        break;
      }
      previous = line.number;
      this.#cut ||= line.cut;
      if (line.context) continue;
      shown += 1;
      this.shownLines += 1;
    }
    if (shown >= file.matchingLines) return;
    this.#cut = true;
    this.#parts.push(`(+${file.matchingLines - shown} more matching lines in this file)`);
  }

  #hasContext(file: FileMatches): boolean {
    return file.lines.some((line) => line.context);
  }

  #put(text: string): boolean {
    const bytes = Buffer.byteLength(text) + 1;
    if (this.#bytes + bytes > maxBodyBytes - moreReserveBytes) return false;
    this.#bytes += bytes;
    this.#parts.push(text);
    return true;
  }
}
