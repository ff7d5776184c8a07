import { maxHintEntries } from "./hint-limits.ts";
import type { ThreadJob } from "./messages.ts";
import { prefixOf } from "./prefix-of.ts";
import { Stop } from "./stop.ts";
import { walk, type WalkOptions } from "./walk.ts";
import { walkOptions } from "./walk-options.ts";

/** So many directories that a walk left out are looked into, to say how many files they hold. */
const maxLeftOutDirectories = 1000;

/** What a walk left out for one reason: files at once, those of whole directories where somebody asks. */
export class LeftOutFiles {
  readonly #walked: Partial<WalkOptions>;
  readonly #directories: string[] = [];
  complete = true;
  count = 0;

  /** @param walked how directories are walked to count what is in them */
  constructor(walked: Partial<WalkOptions>) {
    this.#walked = walked;
  }

  add(path: string, isDirectory: boolean): void {
    if (!isDirectory) this.count += 1;
    else if (this.#directories.length < maxLeftOutDirectories) this.#directories.push(path);
    else this.complete = false;
  }

  /**
   * @param until when it ends at the latest, in milliseconds since the epoch
   * @param check throws where the search is to end
   */
  countBelow(job: ThreadJob, until: number, check: () => void): void {
    let entries = 0;
    const entry = (): void => {
      check();
      entries += 1;
      if (entries > maxHintEntries || Date.now() > until) throw new Stop("budget");
    };
    try {
      for (const directory of this.#directories) {
        walk(
          { ...walkOptions(job), ...this.#walked, root: prefixOf(job.root) + directory },
          { file: () => (this.count += 1), directory: () => undefined, entry, unreadable: () => undefined, ignored: () => undefined, hidden: () => undefined },
        );
      }
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      this.complete = false;
    }
  }
}
