import type { SearchTally } from "../search-backend.ts";
import type { ThreadReport } from "../worker/messages.ts";

/** Of a search whose turn never came. */
export const outOfTime: SearchTally = { filesSearched: 0, unreadable: 0, binary: 0, oversized: 0, cutShort: 0, stopped: "timeout" };

/** What the threads of a search saw, together. */
export function tallyOf(reports: readonly ThreadReport[]): SearchTally {
  const stopped = (["timeout", "budget"] as const).find((reason) => reports.some((report) => report.stopped === reason));
  return {
    filesSearched: sum(reports, "filesSearched"),
    unreadable: sum(reports, "unreadable"),
    binary: sum(reports, "binary"),
    oversized: sum(reports, "oversized"),
    cutShort: sum(reports, "cutShort"),
    ...(stopped && { stopped }),
  };
}

type NumberOf<Report> = { [Name in keyof Report]-?: Report[Name] extends number ? Name : never }[keyof Report];

export function sum(reports: readonly ThreadReport[], field: NumberOf<ThreadReport>): number {
  return reports.reduce((total, report) => total + report[field], 0);
}
