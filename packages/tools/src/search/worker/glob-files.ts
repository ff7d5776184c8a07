import { lstatSync } from "node:fs";
import { NewestFiles } from "./newest-files.ts";
import { noCounts, type FileCounts, type FileWork } from "./file-work.ts";
import type { GlobWork, Job, NewestFile } from "./messages.ts";
import type { Outbox } from "./outbox.ts";
import { prefixOf } from "./prefix-of.ts";
import { resultPath } from "./result-path.ts";

/** Looks up the times of the files of batches, and keeps the newest. */
export class GlobFiles implements FileWork {
  readonly #job: Job;
  readonly #outbox: Outbox;
  readonly #newest: NewestFiles;
  /** What stands before a path to make it absolute. */
  readonly #prefix: string;
  #found = 0;

  constructor(job: Job, work: GlobWork, outbox: Outbox) {
    this.#job = job;
    this.#outbox = outbox;
    this.#prefix = prefixOf(job.root);
    this.#newest = new NewestFiles(work.maxNewest);
  }

  file(path: string): void {
    const shown = resultPath(this.#job.shownPrefix + path);
    this.#found += 1;
    this.#newest.add({ path: shown, modifiedMs: modifiedMs(this.#prefix + path) });
    this.#outbox.list([Buffer.from(`${shown}\n`)]);
  }

  get counts(): FileCounts {
    return { ...noCounts, found: this.#found };
  }

  get newest(): readonly NewestFile[] {
    return this.#newest.sorted();
  }

  rest(): void {
    // It keeps nothing between two searches.
  }
}

/** Minus infinity for a file without a time: it comes last. */
function modifiedMs(path: string): number {
  try {
    return lstatSync(path).mtimeMs;
  } catch {
    return Number.NEGATIVE_INFINITY;
  }
}
