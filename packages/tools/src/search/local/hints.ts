import { SearchFault, type Count, type GlobHints, type GlobRequest, type GrepHints, type GrepRequest, type SearchScope } from "../search-backend.ts";
import type { Survey, SurveyWork, ThreadReport } from "../worker/messages.ts";
import { hintTimeoutMs } from "../worker/hint-limits.ts";
import { unknownSurvey } from "../worker/unknown-survey.ts";
import { runWork } from "./run-work.ts";
import { sum } from "./tally.ts";

/** Why a search with these reports found nothing. */
export async function grepHints(request: GrepRequest, reports: readonly ThreadReport[]): Promise<GrepHints> {
  const seen = request.glob === undefined ? undefined : await survey(request, { glob: request.glob, namesAtAnyDepth: true });
  const nothingSearched = sum(reports, "filesSearched") + sum(reports, "unreadable") === 0;
  const lookedAtAll = sum(reports, "secondLookSkipped") === 0;
  return {
    binaryMatches: count(sum(reports, "binaryMatches"), lookedAtAll),
    ignoredFiles: seen ? count(seen.ignoredFiles, seen.complete) : count(sum(reports, "ignoredFiles"), reports.every(({ ignoredComplete }) => ignoredComplete)),
    hiddenFiles: seen ? count(seen.hiddenFiles, seen.hiddenComplete) : count(sum(reports, "hiddenFiles"), reports.every(({ hiddenComplete }) => hiddenComplete)),
    otherCaseLines: count(sum(reports, "otherCaseLines"), lookedAtAll),
    plainTextLines: count(sum(reports, "plainTextLines"), lookedAtAll),
    anyLineEndLines: count(sum(reports, "anyLineEndLines"), lookedAtAll),
    // A directory that is skipped is not looked into for hints either.
    noFileFitsGlob: nothingSearched && request.skippedDirectories.length === 0 && seen?.complete === true && seen.ignoredFiles + seen.hiddenFiles === 0,
  };
}

/** Why a glob that matched no file did not. */
export async function globHints(request: GlobRequest): Promise<GlobHints> {
  const seen = await survey(request, { glob: request.pattern, namesAtAnyDepth: false });
  return {
    ignoredFiles: count(seen.ignoredFiles, seen.complete),
    hiddenFiles: count(seen.hiddenFiles, seen.hiddenComplete),
    otherCaseFiles: count(seen.otherCaseFiles, seen.complete),
    deeperFiles: count(seen.deeperFiles, seen.complete),
    namesDirectory: seen.namesDirectory,
  };
}

async function survey(scope: SearchScope, asked: Omit<SurveyWork, "kind">): Promise<Survey> {
  const deadline = Math.min(scope.deadline, Date.now() + hintTimeoutMs);
  const reports = await runWork({ ...scope, deadline }, { kind: "survey", ...asked }, silent).catch(noneIfFailed);
  return reports.find((report) => report.survey)?.survey ?? unknownSurvey;
}

const silent = { result: () => undefined, linesFull: () => true, listFull: () => true };

/** The search itself was whole: it does not fail with its hints. */
function noneIfFailed(error: unknown): readonly ThreadReport[] {
  if (SearchFault.isInstance(error) && error.reason.kind === "failed") return [];
  throw error;
}

function count(atLeast: number, exact: boolean): Count {
  return { atLeast, exact };
}
