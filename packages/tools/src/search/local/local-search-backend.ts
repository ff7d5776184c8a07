import { checkGlob } from "../glob/check-glob.ts";
import { SearchFault, type Count, type GlobEvents, type GlobHints, type GlobOutcome, type GlobRequest, type GrepEvents, type GrepHints, type GrepOutcome, type GrepRequest, type SearchBackend, type SearchScope, type SearchTally } from "../search-backend.ts";
import type { GrepWork, Job, Survey, SurveyWork, ThreadReport } from "../worker/messages.ts";
import { newestFirst } from "../worker/newest-files.ts";
import { runSearch, type SearchEvents } from "./run-search.ts";
import { searchPool } from "./search-pool.ts";

/** Why nothing was found is looked into only as far as this: it is a courtesy. */
const surveyEntries = 50_000;
const hintTimeoutMs = 3000;

/** Longer patterns are not compiled a second time, for the other case. */
const maxOtherCaseCharacters = 200;

/** Searches this machine's disk, in worker threads that all backends of the process share. */
export function createLocalSearchBackend(): SearchBackend {
  const running = new Set<AbortController>();
  let closed = false;
  searchPool.acquire();
  /** Runs a search that also ends with the backend. */
  const untilClosed = async <Request extends SearchScope, Outcome>(request: Request, search: (request: Request) => Promise<Outcome>): Promise<Outcome> => {
    if (closed) throw closedFault();
    const { signal } = request;
    const controller = new AbortController();
    const abort = (): void => controller.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    running.add(controller);
    try {
      return await search({ ...request, signal: controller.signal });
    } finally {
      signal.removeEventListener("abort", abort);
      running.delete(controller);
    }
  };
  return {
    grep: (request, events) => untilClosed(request, (scoped) => grep(scoped, events)),
    glob: (request, events) => untilClosed(request, (scoped) => glob(scoped, events)),
    close: async () => {
      if (closed) return;
      closed = true;
      for (const controller of running) controller.abort(closedFault());
      await searchPool.release();
    },
  };
}

function closedFault(): SearchFault {
  return new SearchFault("closed", "its session was closed");
}

async function grep(request: GrepRequest, events: GrepEvents): Promise<GrepOutcome> {
  if (request.glob !== undefined) checkGlob(request.glob, "glob");
  let matchingLines = 0;
  let files = 0;
  const reports = await run(request, grepWork(request), {
    result: (result) => {
      if (result.list) events.list(result.list);
      for (const found of result.files ?? []) {
        matchingLines += found.matchingLines;
        files += 1;
        events.file(found);
      }
    },
    linesFull: events.linesFull,
    listFull: events.listFull,
  });
  const tally = tallyOf(reports);
  if (matchingLines > 0 || tally.stopped) return { ...tally, matchingLines, files };
  return { ...tally, matchingLines, files, hints: await grepHints(request, reports) };
}

function grepWork(request: GrepRequest): GrepWork {
  const { pattern, mode, ignoreCase, multiline, contextLines, maxLinesAFile, maxLineBytes } = request;
  const seeksOtherCase = !ignoreCase && pattern.length <= maxOtherCaseCharacters && /\p{L}/u.test(pattern);
  return { kind: "grep", pattern, glob: request.rootKind === "file" ? undefined : request.glob, mode, ignoreCase, multiline, contextLines, maxLinesAFile, maxLineBytes, seeksOtherCase };
}

async function grepHints(request: GrepRequest, reports: readonly ThreadReport[]): Promise<GrepHints> {
  const binaryMatches = sum(reports, "binaryMatches");
  const seen = request.glob === undefined ? undefined : await survey(request, { glob: request.glob, namesAtAnyDepth: true });
  return {
    binaryMatches,
    ignoredFiles: seen ? count(seen.ignoredFiles, seen.complete) : count(sum(reports, "ignoredFiles"), reports.every(({ ignoredComplete }) => ignoredComplete)),
    otherCaseLines: count(sum(reports, "otherCaseLines"), sum(reports, "otherCaseSkipped") === 0),
    noFileFitsGlob: request.glob !== undefined && seen?.complete === true && seen.keptFiles === 0 && seen.ignoredFiles === 0,
  };
}

async function glob(request: GlobRequest, events: GlobEvents): Promise<GlobOutcome> {
  checkGlob(request.pattern, "pattern");
  const reports = await run(
    request,
    { kind: "glob", glob: request.pattern, maxNewest: request.maxNewest },
    {
      result: (result) => {
        if (result.list) events.list(result.list);
      },
      linesFull: () => false,
      listFull: events.listFull,
    },
  );
  const tally = tallyOf(reports);
  const total = sum(reports, "found");
  const newest = reports
    .flatMap((report) => report.newest)
    .toSorted(newestFirst)
    .slice(0, request.maxNewest)
    .map(({ path }) => path);
  if (total > 0 || tally.stopped) return { ...tally, total, newest };
  return { ...tally, total, newest, hints: globHints(await survey(request, { glob: request.pattern, namesAtAnyDepth: false })) };
}

function globHints(seen: Survey): GlobHints {
  return {
    ignoredFiles: count(seen.ignoredFiles, seen.complete),
    otherCaseFiles: count(seen.otherCaseFiles, seen.complete),
    deeperFiles: count(seen.deeperFiles, seen.complete),
    namesDirectory: seen.namesDirectory,
  };
}

async function survey(scope: SearchScope, asked: Pick<SurveyWork, "glob" | "namesAtAnyDepth">): Promise<Survey> {
  const work: SurveyWork = { kind: "survey", ...asked, maxEntries: surveyEntries };
  const reports = await run({ ...scope, timeoutMs: Math.min(scope.timeoutMs, hintTimeoutMs) }, work, silent);
  return reports.find((report) => report.survey)?.survey ?? { ignoredFiles: 0, otherCaseFiles: 0, deeperFiles: 0, keptFiles: 0, namesDirectory: false, complete: false };
}

const silent: SearchEvents = { result: () => undefined, linesFull: () => true, listFull: () => true };

function run(scope: SearchScope, work: Job["work"], events: SearchEvents): Promise<readonly ThreadReport[]> {
  const { root, rootKind, shownPrefix, ignoreBoundary, excludedPaths, skippedDirectories, includeHidden, budget, timeoutMs, signal } = scope;
  const { maxFiles = Number.MAX_SAFE_INTEGER, maxBytes = Number.MAX_SAFE_INTEGER, maxFileBytes = Number.MAX_SAFE_INTEGER } = budget;
  return runSearch(searchPool, {
    job: { root, rootKind, shownPrefix, ignoreBoundary, excludedPaths, skippedDirectories, includeHidden, maxFiles, maxBytes, maxFileBytes, work },
    timeoutMs,
    signal,
    parallel: rootKind === "directory" && work.kind !== "survey",
    events,
  });
}

function tallyOf(reports: readonly ThreadReport[]): SearchTally {
  const stopped = reports.some((report) => report.stopped === "timeout") ? "timeout" : reports.some((report) => report.stopped === "budget") ? "budget" : undefined;
  return {
    filesSearched: sum(reports, "filesSearched"),
    unreadable: sum(reports, "unreadable"),
    binary: sum(reports, "binary"),
    oversized: sum(reports, "oversized"),
    ...(stopped && { stopped }),
  };
}

function sum(reports: readonly ThreadReport[], field: { [Name in keyof ThreadReport]-?: ThreadReport[Name] extends number ? Name : never }[keyof ThreadReport]): number {
  return reports.reduce((total, report) => total + report[field], 0);
}

function count(atLeast: number, exact: boolean): Count {
  return { atLeast, exact };
}
