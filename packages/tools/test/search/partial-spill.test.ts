import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { resultText, type ToolResult } from "@fencepost/contract";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { globTool } from "../../src/builtin/glob.ts";
import { grepTool } from "../../src/builtin/grep.ts";
import { SearchFault, type GlobOutcome, type GrepOutcome, type SearchBackend } from "../../src/search/search-backend.ts";
import { makeSearchPlace, type SearchPlace } from "./search-place.ts";

// A full list is written to the disk while it grows. Where nothing names it in the end, it is deleted.

/** More than is held in memory before a file is made: 256 KiB. */
const listBytes = 300 * 1024;
const line = Buffer.from(`a.txt:1:${"x".repeat(91)}\n`);

let place: SearchPlace;
beforeEach(async () => {
  place = await makeSearchPlace();
});
afterEach(() => place.close());

/** The files of the session's spill; undefined: not even its directory was made. */
function spillFiles(): readonly string[] | undefined {
  const path = place.session.spill?.path ?? "none";
  return existsSync(path) ? readdirSync(path) : undefined;
}

const tally = { filesSearched: 1, unreadable: 0, binary: 0, oversized: 0, cutShort: 0 };

/** Gives more than that, and sees that it lies on the disk. */
function give(list: (bytes: Uint8Array) => void): void {
  const before = spillFiles()?.length ?? 0;
  for (let given = 0; given < listBytes; given += line.length) list(line);
  expect(spillFiles()).toHaveLength(before + 1);
}

/** How a search ends after it has given more of its list than memory holds. */
const endings: readonly (readonly [string, (cancel: () => void) => { readonly stopped?: "timeout" | "budget" }, Partial<ToolResult>])[] = [
  ["its time is over", () => ({ stopped: "timeout" }), { status: "succeeded" }],
  ["its budget is used up", () => ({ stopped: "budget" }), { status: "succeeded" }],
  [
    "it is cancelled",
    (cancel) => {
      cancel();
      throw new DOMException("cancelled", "AbortError");
    },
    { status: "cancelled" },
  ],
  [
    "its session is closed",
    () => {
      throw new SearchFault({ kind: "closed" }, "its session was closed");
    },
    { status: "cancelled" },
  ],
  [
    "it goes wrong",
    () => {
      throw new SearchFault({ kind: "failed" }, "the search could not be finished: a search thread was ended");
    },
    { status: "failed" },
  ],
];

describe("a search of which more was found than memory holds, when", () => {
  function ending(end: (typeof endings)[number][1], cancel: () => void): SearchBackend {
    return {
      grep: async (_, events): Promise<GrepOutcome> => {
        events.file({ path: "a.txt", matchingLines: 4000, lines: [{ number: 1, text: "x", context: false, cut: false }] });
        give((bytes) => events.list(bytes));
        return { ...tally, matchingLines: 4000, files: 1, ...end(cancel) };
      },
      glob: async (_, events): Promise<GlobOutcome> => {
        give((bytes) => events.list(bytes));
        return { ...tally, total: 4000, newest: ["a.txt"], ...end(cancel) };
      },
      close: () => Promise.resolve(),
    };
  }

  it.each(endings)("%s, leaves no part of its list behind, and names none", async (_, end, expected) => {
    for (const tool of ["grep", "glob"] as const) {
      const controller = new AbortController();
      const session = { ...place.session, search: ending(end, () => controller.abort()) };
      const call = place.call({ signal: controller.signal });
      const result = tool === "grep" ? await grepTool.execute(session, call, { pattern: "x" }) : await globTool.execute(session, call, { pattern: "**/*" });
      expect([tool, result]).toEqual([tool, expect.objectContaining(expected)]);
      expect(spillFiles()).toEqual([]);
      expect(resultText(result)).not.toContain("saved");
    }
  });

  it("[T26] nothing happens to it, keeps its list, and names it", async () => {
    const session = { ...place.session, search: ending(() => ({}), () => undefined) };
    const results = [await grepTool.execute(session, place.call(), { pattern: "x" }), await globTool.execute(session, place.call(), { pattern: "**/*" })];
    const paths = results.map((result) => /saved to (\S+)\]/u.exec(resultText(result))?.[1] ?? "none");
    for (const path of paths) expect(readFileSync(path).length).toBeGreaterThanOrEqual(listBytes);
    expect(spillFiles()).toEqual(paths.map((path) => basename(path)).toSorted());
  });
});

describe("on the disk", () => {
  it("[T11] a search that is cancelled in the middle leaves nothing", async () => {
    place.files({ "a.txt": `${"x".repeat(2000)}\n`.repeat(1000), "b.txt": "ab".repeat(20_000_000) });
    const controller = new AbortController();
    const running = place.grepResult({ pattern: "x$|[ab]*a[ab]{200}[cd]" }, { signal: controller.signal });
    while ((spillFiles() ?? []).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
    expect(await running).toMatchObject({ status: "cancelled" });
    expect(spillFiles()).toEqual([]);
  });

  it("a search that used up its budget leaves nothing", async () => {
    await place.close();
    place = await makeSearchPlace({ scanBudget: { maxBytes: 1_000_000 } });
    place.files({ "a.txt": `${"x".repeat(2000)}\n`.repeat(2000) });
    expect(await place.grep({ pattern: "x$" })).toMatch(/; the scan budget is used up — narrow the path or glob\]$/u);
    expect(spillFiles()).toEqual([]);
  });

  it("a search that shows all it found leaves nothing, however long its list", async () => {
    const directory = Array.from({ length: 14 }, () => "d".repeat(250)).join("/");
    place.files({ [join(directory, "a")]: "x\n".repeat(50), [join(directory, "b")]: "x\n".repeat(50) });
    const text = await place.grep({ pattern: "x" });
    expect(text).toBe(["a", "b"].map((name) => `${directory}/${name}\n${Array.from({ length: 50 }, (_, index) => `${index + 1}:x`).join("\n")}`).join("\n\n"));
    expect(spillFiles()).toEqual([]);
  });

  it("a search with a short list does not so much as make a directory", async () => {
    place.files({ "a.txt": "x\n" });
    expect(await place.grep({ pattern: "x" })).toBe("a.txt\n1:x");
    expect(await place.glob({ pattern: "*" })).toBe("a.txt");
    expect(spillFiles()).toBeUndefined();
  });
});
