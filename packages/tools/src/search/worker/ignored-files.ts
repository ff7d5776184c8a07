import { hintTimeoutMs, maxHintEntries } from "./hint-limits.ts";
import type { ThreadJob } from "./messages.ts";
import { prefixOf } from "./prefix-of.ts";
import { Stop } from "./stop.ts";
import { walk } from "./walk.ts";
import { walkOptions } from "./walk-options.ts";

/** So many ignored directories are looked into, to say how many files they hold. */
const maxIgnoredDirectories = 1000;

/** What ignore rules left out of a walk: files at once, those of whole directories where somebody asks. */
export class IgnoredFiles {
  readonly #directories: string[] = [];
  complete = true;
  count = 0;

  add(path: string, isDirectory: boolean): void {
    if (!isDirectory) this.count += 1;
    else if (this.#directories.length < maxIgnoredDirectories) this.#directories.push(path);
    else this.complete = false;
  }

  /** @param check throws where the search is to end */
  countBelow(job: ThreadJob, check: () => void): void {
    const until = Date.now() + hintTimeoutMs;
    let entries = 0;
    const entry = (): void => {
      check();
      entries += 1;
      if (entries > maxHintEntries || Date.now() > until) throw new Stop("budget");
    };
    try {
      for (const directory of this.#directories) {
        walk(
          { ...walkOptions(job), root: prefixOf(job.root) + directory, glob: undefined, visitsIgnored: true },
          { file: () => (this.count += 1), directory: () => undefined, entry, unreadable: () => undefined, ignored: () => undefined },
        );
      }
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      this.complete = false;
    }
  }
}
