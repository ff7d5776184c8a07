import { lstatSync } from "node:fs";
import { escapeName } from "../../paths/show-path.ts";
import { NewestFiles } from "./newest-files.ts";
import type { GlobWork, Job } from "./messages.ts";
import type { Outbox } from "./outbox.ts";

/** Looks up the times of the files of batches, and keeps the newest. */
export class GlobFiles {
  readonly #job: Job;
  readonly #outbox: Outbox;
  readonly #newest: NewestFiles;
  /** What stands before a path to make it absolute. */
  readonly #prefix: string;
  found = 0;

  constructor(job: Job, work: GlobWork, outbox: Outbox) {
    this.#job = job;
    this.#outbox = outbox;
    this.#prefix = job.root === "/" ? "/" : `${job.root}/`;
    this.#newest = new NewestFiles(work.maxNewest);
  }

  file(path: string): void {
    const shown = escapeName(this.#job.shownPrefix + path);
    this.found += 1;
    this.#newest.add({ path: shown, modifiedMs: modifiedMs(this.#prefix + path) });
    this.#outbox.list([Buffer.from(`${shown}\n`)]);
  }

  get newest(): ReturnType<NewestFiles["take"]> {
    return this.#newest.take();
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
