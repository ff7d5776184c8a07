import { describe, expect, it } from "vitest";
import type { GlobOutcome, GrepOutcome, SearchBackend, SearchScope } from "../../src/search/search-backend.ts";
import { runSearchCheck } from "../../src/testing/search-check.ts";
import { searchResultChecks } from "../../src/testing/search-result-checks.ts";
import { searchScopeChecks } from "../../src/testing/search-scope-checks.ts";
import { diskFixture } from "../search/disk-fixture.ts";

// A suite that lets a wrong backend pass proves nothing: each of these gets one thing wrong, and is to be caught by its rule.

interface Wrong {
  readonly scope?: (scope: SearchScope) => Partial<SearchScope>;
  readonly grepped?: (outcome: GrepOutcome) => Partial<GrepOutcome>;
  readonly globbed?: (outcome: GlobOutcome) => Partial<GlobOutcome>;
  /** Does not say that it ended early. */
  readonly quietly?: boolean;
}

/** The local search, but for what is wrong. */
function gettingWrong({ scope, grepped, globbed, quietly }: Wrong): (inner: SearchBackend) => SearchBackend {
  return (inner) => ({
    grep: async (request, events) => {
      const { stopped, ...outcome } = await inner.grep({ ...request, ...scope?.(request) }, events);
      return { ...outcome, ...(stopped && quietly !== true && { stopped }), ...grepped?.(outcome) };
    },
    glob: async (request, events) => {
      const outcome = await inner.glob({ ...request, ...scope?.(request) }, events);
      return { ...outcome, ...globbed?.(outcome) };
    },
    close: () => inner.close(),
  });
}

const checks = [...searchResultChecks, ...searchScopeChecks];

const hiddenUnseen = { hiddenFiles: { atLeast: 0, exact: true } };

const wrongs: readonly (readonly [what: string, rule: RegExp, wrong: Wrong])[] = [
  ["reads on beyond maxBytes", /as many bytes as it may/u, { scope: ({ budget }) => ({ budget: { ...budget, maxBytes: Number.MAX_SAFE_INTEGER } }) }],
  ["takes maxBytes for that of a file", /as many bytes as it may/u, { scope: ({ budget: { maxBytes, ...budget } }) => ({ budget: { ...budget, ...(maxBytes !== undefined && { maxFileBytes: maxBytes }) } }) }],
  ["ends by maxBytes without a word", /as many bytes as it may/u, { quietly: true }],
  ["counts maxBytes in KiB", /as many bytes as it may/u, { scope: ({ budget }) => ({ budget: { ...budget, ...(budget.maxBytes !== undefined && { maxBytes: budget.maxBytes / 1024 }) } }) }],
  ["obeys no ignore file above", /up to the boundary/u, { scope: ({ root }) => ({ ignoreBoundary: root }) }],
  ["obeys all ignore files above", /up to the boundary/u, { scope: () => ({ ignoreBoundary: "/" }) }],
  ["counts nothing unreadable in grep", /counts what it cannot read/u, { grepped: () => ({ unreadable: 0 }) }],
  ["counts nothing unreadable in glob", /counts what it cannot read/u, { globbed: () => ({ unreadable: 0 }) }],
  ["counts unreadable files as searched only", /counts what it cannot read/u, { grepped: ({ unreadable }) => ({ unreadable: Math.min(unreadable, 1) }) }],
  ["counts as unreadable what can be read", /counts what it cannot read/u, { grepped: ({ unreadable }) => ({ unreadable: unreadable + 1 }) }],
  ["ends at no number of files", /at its deadline and at its budget/u, { scope: ({ budget }) => ({ budget: { ...budget, maxFiles: Number.MAX_SAFE_INTEGER } }) }],
  ["skips no large file", /at its deadline and at its budget/u, { scope: ({ budget }) => ({ budget: { ...budget, maxFileBytes: Number.MAX_SAFE_INTEGER } }) }],
  ["ends at no deadline", /at its deadline and at its budget/u, { scope: () => ({ deadline: Infinity }) }],
  ["enters excluded paths", /no excluded path/u, { scope: () => ({ excludedPaths: [] }) }],
  ["enters skipped directories", /no excluded path/u, { scope: () => ({ skippedDirectories: [] }) }],
  ["shows hidden entries", /hidden entries/u, { scope: () => ({ includeHidden: true }) }],
  ["sees no hidden file in grep", /why nothing was found/u, { grepped: ({ hints }) => (hints ? { hints: { ...hints, ...hiddenUnseen } } : {}) }],
  ["sees no hidden file in glob", /why nothing was found/u, { globbed: ({ hints }) => (hints ? { hints: { ...hints, ...hiddenUnseen } } : {}) }],
  ["sees no other line ends", /over lines where/u, { grepped: ({ hints }) => (hints ? { hints: { ...hints, anyLineEndLines: { atLeast: 0, exact: true } } } : {}) }],
  ["sees no plain text", /why nothing was found/u, { grepped: ({ hints }) => (hints ? { hints: { ...hints, plainTextLines: { atLeast: 0, exact: true } } } : {}) }],
];

describe("the suite of a search backend catches one that", () => {
  it.each(wrongs)("%s", async (_what, rule, wrong) => {
    const [check, ...others] = checks.filter(([text]) => rule.test(text));
    if (!check || others.length > 0) throw new Error("no rule of the suite, or several");
    await expect(runSearchCheck(() => diskFixture(gettingWrong(wrong)), check)).rejects.toThrow(/expected/u);
  });
});

it("each rule of the suite is said once", () => {
  const rules = checks.map(([rule]) => rule);
  expect(new Set(rules).size).toBe(rules.length);
});
