import { globMatcher, type GlobMatcher } from "../glob/glob-matcher.ts";
import { GlobError } from "../glob/glob-syntax.ts";
import { withoutEndSlashes } from "../glob/without-end-slashes.ts";
import { maxHintEntries } from "./hint-limits.ts";
import type { ThreadJob, Survey, SurveyWork } from "./messages.ts";
import { Stop } from "./stop.ts";
import { walkOptions } from "./walk-options.ts";
import { walk } from "./walk.ts";

const nothingSeen: Survey = { ignoredFiles: 0, otherCaseFiles: 0, deeperFiles: 0, namesDirectory: false, complete: true };

/** Walks once more, ignored entries included, and counts what a search for the glob left out or nearly found. */
export function survey(job: ThreadJob, work: SurveyWork, check: () => void): Survey {
  const globs = readings(job, work);
  if (!globs) return { ...nothingSeen, complete: false };
  const { asked, otherCase, deeper, directory } = globs;
  const found: { -readonly [Field in keyof Survey]: Survey[Field] } = { ...nothingSeen };
  let entries = 0;
  const entry = (): void => {
    check();
    entries += 1;
    if (entries > maxHintEntries) throw new Stop("budget");
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
          if (path !== "" && directory?.matches(path.slice(0, -1)) === true) found.namesDirectory = true;
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

interface Readings {
  readonly asked: GlobMatcher;
  readonly otherCase: GlobMatcher;
  readonly deeper: GlobMatcher;
  /** Of the directory that the glob names; undefined where it asks for all below directories as it is. */
  readonly directory: GlobMatcher | undefined;
}

/** The glob, and what may have been meant by it. Undefined where one of these is larger than a glob may be. */
function readings({ includeHidden }: ThreadJob, { glob, namesAtAnyDepth }: SurveyWork): Readings | undefined {
  const base = { matchesHidden: includeHidden, namesAtAnyDepth, ignoreCase: false };
  const named = withoutEndSlashes(glob);
  try {
    return {
      asked: globMatcher(glob, base),
      otherCase: globMatcher(glob, { ...base, ignoreCase: true }),
      deeper: globMatcher(`**/${glob}`, base),
      directory: /(?:^|\/)\*\*$/u.test(named) ? undefined : globMatcher(named, base),
    };
  } catch (error) {
    if (error instanceof GlobError) return undefined;
    throw error;
  }
}

/** What one of the globs matches, and the directory that is named: the walk enters what is hidden only where a glob names it. */
function anyOf(globs: readonly GlobMatcher[], directory: GlobMatcher | undefined): GlobMatcher {
  return {
    matches: (path) => globs.some((glob) => glob.matches(path)),
    namesGit: globs.some(({ namesGit }) => namesGit),
    canMatchBelow: (path) => directory?.matches(path) === true || globs.some((glob) => glob.canMatchBelow(path)),
  };
}
