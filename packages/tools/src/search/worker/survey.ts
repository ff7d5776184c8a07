import { globMatcher, type GlobMatcher } from "../glob/glob-matcher.ts";
import type { Job, Survey, SurveyWork } from "./messages.ts";
import { Stop } from "./stop.ts";
import { walkOptions } from "./walk-options.ts";
import { walk } from "./walk.ts";

/** Walks once more, ignored entries included, and counts what a search for the glob left out or nearly found. */
export function survey(job: Job, work: SurveyWork, check: () => void): Survey {
  const base = { matchesHidden: job.includeHidden, namesAtAnyDepth: work.namesAtAnyDepth, ignoreCase: false };
  const asked = globMatcher(work.glob, base);
  const otherCase = globMatcher(work.glob, { ...base, ignoreCase: true });
  const deeper = globMatcher(`**/${work.glob}`, base);
  const directory = globMatcher(work.glob.replace(/\/+$/u, ""), base);
  const found = { ignoredFiles: 0, otherCaseFiles: 0, deeperFiles: 0, namesDirectory: false, complete: true };
  let entries = 0;
  const entry = (): void => {
    check();
    entries += 1;
    if (entries > work.maxEntries) throw new Stop("budget");
  };
  try {
    walk(
      { ...walkOptions(job), glob: anyOf([asked, otherCase, deeper], directory), visitsIgnored: true },
      {
        file: (path, ignored) => {
          if (asked.matches(path)) found.ignoredFiles += Number(ignored);
          else if (ignored) return;
          else if (otherCase.matches(path)) found.otherCaseFiles += 1;
          else if (deeper.matches(path)) found.deeperFiles += 1;
        },
        directory: (path) => {
          if (directory.matches(path.slice(0, -1))) found.namesDirectory = true;
        },
        entry,
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

/** What one of the globs matches, and the directory that is named: the walk enters what is hidden only where a glob names it. */
function anyOf(globs: readonly GlobMatcher[], directory: GlobMatcher): GlobMatcher {
  return {
    matches: (path) => globs.some((glob) => glob.matches(path)),
    canMatchBelow: (path) => directory.matches(path) || globs.some((glob) => glob.canMatchBelow(path)),
  };
}
