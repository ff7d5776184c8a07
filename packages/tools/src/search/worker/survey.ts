import { basename } from "node:path/posix";
import { globMatcher, type GlobMatcher } from "../glob/glob-matcher.ts";
import { GlobError } from "../glob/glob-syntax.ts";
import { withoutEndSlashes } from "../glob/without-end-slashes.ts";
import { ignoreFileNames } from "../ignore/ignore-file-names.ts";
import { maxHintEntries } from "./hint-limits.ts";
import type { ThreadJob, Survey, SurveyWork } from "./messages.ts";
import { Stop } from "./stop.ts";
import { unknownSurvey } from "./unknown-survey.ts";
import { walkOptions } from "./walk-options.ts";
import { walk } from "./walk.ts";

/** Walks once more, ignored entries included, and counts what a search for the glob left out or nearly found. */
export function survey(job: ThreadJob, work: SurveyWork, check: () => void): Survey {
  const globs = readings(job, work);
  if (!globs) return unknownSurvey;
  const { asked, hidden, otherCase, deeper, directory } = globs;
  const found: { -readonly [Field in keyof Survey]: Survey[Field] } = { ...unknownSurvey, complete: true };
  let entries = 0;
  let hiddenEntries = 0;
  const entry = (path: string): void => {
    check();
    // Counted apart: hidden names come first, and must not use up what is there for the others.
    if (hidden && hiddenEntries < maxHintEntries && hiddenName.test(path)) return void (hiddenEntries += 1);
    entries += 1;
    if (entries > maxHintEntries) throw new Stop("budget");
  };
  try {
    walk(
      { ...walkOptions(job), glob: withHidden(anyOf([asked, otherCase, deeper], directory), hidden, () => hiddenEntries < maxHintEntries), visitsIgnored: true },
      {
        file: (path, ignored) => {
          if (asked.matches(path)) found.ignoredFiles += Number(ignored);
          else if (ignored) return;
          else if (hidden?.matches(path) === true) found.hiddenFiles += Number(!ignoreFileNames.has(basename(path)));
          else if (otherCase.matches(path)) found.otherCaseFiles += 1;
          else if (deeper.matches(path)) found.deeperFiles += 1;
        },
        directory: (path) => {
          if (path !== "" && directory?.matches(path.slice(0, -1)) === true) found.namesDirectory = true;
        },
        entry,
        unreadable: () => undefined,
        ignored: () => undefined,
        hidden: () => undefined,
      },
    );
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    found.complete = false;
  }
  found.hiddenComplete = found.complete && hiddenEntries < maxHintEntries;
  return found;
}

/** In a path. */
const hiddenName = /(?:^|\/)\./u;

interface Readings {
  readonly asked: GlobMatcher;
  /** Its wildcards stand for hidden names, too. Undefined where they do anyway, and beside a `.git` that is written out. */
  readonly hidden: GlobMatcher | undefined;
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
    const asked = globMatcher(glob, base);
    return {
      asked,
      hidden: includeHidden || asked.namesGit ? undefined : globMatcher(glob, { ...base, matchesHidden: true }),
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

/** The same, and what `hidden` matches as long as there is room for it. */
function withHidden(glob: GlobMatcher, hidden: GlobMatcher | undefined, hasRoom: () => boolean): GlobMatcher {
  if (!hidden) return glob;
  return {
    matches: (path) => glob.matches(path) || hidden.matches(path),
    namesGit: glob.namesGit,
    canMatchBelow: (path) => glob.canMatchBelow(path) || (hasRoom() && hidden.canMatchBelow(path)),
  };
}
