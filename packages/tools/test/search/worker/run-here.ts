import { MessageChannel } from "node:worker_threads";
import { vi } from "vitest";
import type { FileMatches } from "../../../src/search/search-backend.ts";
import { controlBytes, controlSlots } from "../../../src/search/worker/control.ts";
import type { FromWorker, GlobWork, GrepWork, Job, ThreadReport } from "../../../src/search/worker/messages.ts";
import { runJob } from "../../../src/search/worker/run-job.ts";

export const grepWork: GrepWork = { kind: "grep", pattern: "hit", glob: undefined, mode: "content", ignoreCase: false, multiline: false, contextLines: 0, maxLinesAFile: 50, maxLineBytes: 2000, otherReadings: [] };

export interface HereChoices {
  readonly job?: Partial<Job>;
  /** Called whenever the search looks at the clock, with how often it has by then: what is done here happens in the middle of the search. */
  readonly atClock?: (looked: number, search: { readonly cancel: () => void }) => void;
}

export interface Here {
  readonly report: ThreadReport;
  readonly files: readonly FileMatches[];
  readonly list: string;
}

/** Runs a search in the test's own thread. Its clock begins at 0, and goes on by a millisecond whenever it is looked at. */
export function runHere(root: string, work: GrepWork | GlobWork, { job: extra, atClock }: HereChoices = {}): Here {
  const control = new SharedArrayBuffer(controlBytes);
  const job: Job = {
    root, rootKind: "directory", shownPrefix: "", ignoreBoundary: root, excludedPaths: [], skippedDirectories: [], includeHidden: false,
    maxFiles: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER, maxFileBytes: Number.MAX_SAFE_INTEGER, deadline: Number.MAX_SAFE_INTEGER, control, work, ...extra,
  };
  let looked = 0;
  const cancel = (): void => void Atomics.store(new Int32Array(control), controlSlots.cancelled, 1);
  const clock = vi.spyOn(Date, "now").mockImplementation(() => {
    looked += 1;
    atClock?.(looked, { cancel });
    return looked;
  });
  const messages: FromWorker[] = [];
  const { port1, port2 } = new MessageChannel();
  try {
    runJob({ kind: "lead", job, joins: port2 }, (message) => void messages.push(message));
  } finally {
    clock.mockRestore();
    port1.close();
  }
  const results = messages.filter((message) => message.kind === "result");
  const report = messages.find((message) => message.kind === "report");
  if (!report) throw new Error(`the search gave no report: ${JSON.stringify(messages)}`);
  return { report, files: results.flatMap(({ files }) => files ?? []), list: results.map(({ list }) => Buffer.from(list ?? []).toString()).join("") };
}
