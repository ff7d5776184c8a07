import type { NewestFile } from "./messages.ts";

/** Keeps the newest of any number of files, in memory that does not grow with their number. */
export class NewestFiles {
  readonly #limit: number;
  #files: NewestFile[] = [];
  #oldestKept = Number.NEGATIVE_INFINITY;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(file: NewestFile): void {
    if (file.modifiedMs < this.#oldestKept) return;
    this.#files.push(file);
    if (this.#files.length >= 8 * this.#limit) this.#files = this.sorted();
  }

  /** Newest first, ties by path. */
  sorted(): NewestFile[] {
    const sorted = this.#files.toSorted(newestFirst).slice(0, this.#limit);
    if (sorted.length === this.#limit) this.#oldestKept = sorted.at(-1)?.modifiedMs ?? this.#oldestKept;
    return sorted;
  }
}

export function newestFirst(left: NewestFile, right: NewestFile): number {
  if (left.modifiedMs !== right.modifiedMs) return left.modifiedMs > right.modifiedMs ? -1 : 1;
  return left.path < right.path ? -1 : Number(left.path > right.path);
}
