import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { unmetered } from "../../../src/regex/automata/meter.ts";
import { otherReadings } from "../../../src/search/local/other-readings.ts";
import { controlBytes } from "../../../src/search/worker/control.ts";
import type { FileCounts } from "../../../src/search/worker/file-work.ts";
import { GrepFiles } from "../../../src/search/worker/grep-files.ts";
import type { GrepWork, ThreadJob } from "../../../src/search/worker/messages.ts";
import { Outbox } from "../../../src/search/worker/outbox.ts";
import { unpredictable } from "../unpredictable.ts";

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "fencepost-grep-files-")));
  mkdirSync(join(base, "secret"));
  writeFileSync(join(base, "secret/key"), "PASSWORD\n");
  writeFileSync(join(base, "secret/plain"), "pass(word)\n");
  writeFileSync(join(base, "secret/binary"), "\0\nPASSWORD\n");
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function counts(root: string, file: string, extra: Partial<GrepWork>, rootKind: ThreadJob["rootKind"] = "directory"): Readonly<FileCounts> {
  const work: GrepWork = { kind: "grep", pattern: "PASSWORD", glob: undefined, mode: "content", ignoreCase: false, multiline: false, contextLines: 0, maxLinesAFile: 50, maxLineBytes: 2000, otherReadings: otherReadings({ pattern: "PASSWORD", ignoreCase: false, multiline: false, ...extra }), ...extra };
  const control = new SharedArrayBuffer(controlBytes);
  const job: ThreadJob = { root, rootKind, shownPrefix: "", ignoreBoundary: root, onPlainDisk: false, excludedPaths: [], skippedDirectories: [], includeHidden: false, maxFiles: 9, maxBytes: Number.MAX_SAFE_INTEGER, maxFileBytes: Number.MAX_SAFE_INTEGER, deadline: Infinity, control, work };
  const files = new GrepFiles(job, work, new Outbox(new Int32Array(control), () => undefined, unmetered), unmetered, () => undefined);
  files.file(file);
  return files.counts;
}

// The kernel tells where an open file lies on Linux only.
describe.runIf(process.platform === "linux")("a file behind a directory that became a link after it was found", () => {
  it("[P7] tells neither its lines, nor whether they would match if the pattern were read in another way", () => {
    expect(counts(join(base, "secret"), "key", {})).toMatchObject({ found: 1 });
    expect(counts(join(base, "secret"), "key", { pattern: "password" })).toMatchObject({ found: 0, otherCaseLines: 1 });
    expect(counts(join(base, "secret"), "plain", { pattern: "pass(word)" })).toMatchObject({ found: 0, plainTextLines: 1 });
    symlinkSync("secret", join(base, "swapped"));
    expect(counts(join(base, "swapped"), "key", {})).toMatchObject({ found: 0 });
    expect(counts(join(base, "swapped"), "plain", { pattern: "pass(word)" })).toMatchObject({ found: 0, plainTextLines: 0 });
    expect(counts(join(base, "swapped"), "key", { pattern: "password" })).toMatchObject({ found: 0, otherCaseLines: 0 });
  });

  it("[P7] nor whether it is binary, or matches then", () => {
    expect(counts(join(base, "secret/binary"), "", {}, "file")).toMatchObject({ binaryMatches: 1 });
    symlinkSync("secret", join(base, "swapped"));
    expect(counts(join(base, "swapped/binary"), "", {}, "file")).toMatchObject({ binary: 0, binaryMatches: 0 });
  });
});

it("[T22] a pattern that costs as much as it is large is not looked for a second time, in other readings", () => {
  const pattern = "a[ab]{18}$";
  writeFileSync(join(base, "plain"), `${pattern}\n`);
  writeFileSync(join(base, "hostile"), `${unpredictable(400_000).toString()}${"b".repeat(19)}\n${pattern}\n`);
  expect(counts(base, "plain", { pattern })).toMatchObject({ found: 0, plainTextLines: 1, secondLookSkipped: 0 });
  expect(counts(base, "hostile", { pattern })).toMatchObject({ found: 0, plainTextLines: 0, secondLookSkipped: 1 });
});
