import { checkGlob } from "../glob/check-glob.ts";
import { SearchFault, type GlobEvents, type GlobOutcome, type GlobRequest, type GrepEvents, type GrepOutcome, type GrepRequest, type SearchBackend, type SearchScope } from "../search-backend.ts";
import type { GrepWork } from "../worker/messages.ts";
import { newestFirst } from "../worker/newest-files.ts";
import { globHints, grepHints } from "./hints.ts";
import { otherReadings } from "./other-readings.ts";
import { runWork } from "./run-work.ts";
import { searchPool } from "./search-pool.ts";
import { outOfTime, sum, tallyOf } from "./tally.ts";

/** Searches this machine's disk, in worker threads that all backends of the process share. */
export function createLocalSearchBackend(): SearchBackend {
  const running = new Set<AbortController>();
  let closed = false;
  searchPool.acquire();
  /** Runs a search that also ends with the backend. */
  const untilClosed = async <Request extends SearchScope, Outcome>(request: Request, search: (request: Request) => Promise<Outcome>): Promise<Outcome> => {
    if (closed) throw closedFault();
    // Not AbortSignal.any: in Node 20 a signal that lives long would keep one for each search.
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
  return new SearchFault({ kind: "closed" }, "its session was closed");
}

async function grep(asked: GrepRequest, events: GrepEvents): Promise<GrepOutcome> {
  if (asked.glob !== undefined) checkGlob(asked.glob, "glob");
  const request = asked.rootKind === "file" ? { ...asked, glob: undefined } : asked;
  let matchingLines = 0;
  let files = 0;
  const search = async (): Promise<GrepOutcome> => {
    const reports = await runWork(request, grepWork(request), {
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
    const outcome = { ...tallyOf(reports), matchingLines, files };
    return matchingLines > 0 || outcome.stopped ? outcome : { ...outcome, hints: await grepHints(request, reports) };
  };
  return (await searchPool.inTurn(request, search)) ?? { ...outOfTime, matchingLines, files };
}

function grepWork(request: GrepRequest): GrepWork {
  const { pattern, glob: ofFiles, mode, ignoreCase, multiline, contextLines, maxLinesAFile, maxLineBytes } = request;
  return { kind: "grep", pattern, glob: ofFiles, mode, ignoreCase, multiline, contextLines, maxLinesAFile, maxLineBytes, otherReadings: otherReadings(request) };
}

async function glob(request: GlobRequest, events: GlobEvents): Promise<GlobOutcome> {
  checkGlob(request.pattern, "pattern");
  const search = async (): Promise<GlobOutcome> => {
    const reports = await runWork(
      request,
      { kind: "glob", pattern: request.pattern, maxNewest: request.maxNewest },
      {
        result: (result) => {
          if (result.list) events.list(result.list);
        },
        linesFull: () => false,
        listFull: events.listFull,
      },
    );
    const newest = reports
      .flatMap((report) => report.newest)
      .toSorted(newestFirst)
      .slice(0, request.maxNewest)
      .map(({ path }) => path);
    const outcome = { ...tallyOf(reports), total: sum(reports, "found"), newest };
    return outcome.total > 0 || outcome.stopped ? outcome : { ...outcome, hints: await globHints(request) };
  };
  return (await searchPool.inTurn(request, search)) ?? { ...outOfTime, total: 0, newest: [] };
}
