import { globMatcher } from "../glob/glob-matcher.ts";
import type { Job, Survey, SurveyWork } from "./messages.ts";
import { Stop } from "./stop.ts";
import { walk } from "./walk.ts";
import { walkOptions } from "./walk-options.ts";

/** Walks once more, ignored entries included, and counts what would have been found if … */
export function survey(job: Job, work: SurveyWork, check: () => void): Survey {
  const base = { matchesHidden: job.includeHidden, namesAtAnyDepth: work.namesAtAnyDepth };
  const matcher = work.glob === undefined ? undefined : globMatcher(work.glob, { ...base, ignoreCase: false });
  const folded = work.glob === undefined ? undefined : globMatcher(work.glob, { ...base, ignoreCase: true });
  const deeper = work.glob === undefined ? undefined : globMatcher(`**/${work.glob}`, { ...base, ignoreCase: false });
  const directory = work.glob === undefined ? undefined : globMatcher(work.glob.replace(/\/+$/u, ""), { ...base, ignoreCase: false });
  const found = { ignoredFiles: 0, otherCaseFiles: 0, deeperFiles: 0, keptFiles: 0, namesDirectory: false, complete: true };
  let entries = 0;
  const count = (): void => {
    check();
    entries += 1;
    if (entries > work.maxEntries) throw new Stop("budget");
  };
  try {
    walk(
      { ...walkOptions(job), glob: undefined, visitsIgnored: true },
      {
        file: (path, ignored) => {
          if (!matcher || matcher.matches(path)) found[ignored ? "ignoredFiles" : "keptFiles"] += 1;
          else if (ignored) return;
          else if (folded?.matches(path) === true) found.otherCaseFiles += 1;
          else if (deeper?.matches(path) === true) found.deeperFiles += 1;
        },
        directory: (path) => {
          if (directory?.matches(path.slice(0, -1)) === true) found.namesDirectory = true;
        },
        entry: count,
        unreadable: () => undefined,
        ignored: () => undefined,
      },
    );
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    found.complete = false;
  }
  return found;
}
