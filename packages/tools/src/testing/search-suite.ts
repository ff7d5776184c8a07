import { describe, it } from "vitest";
import { runSearchCheck, type SearchFixture } from "./search-check.ts";
import { searchResultChecks } from "./search-result-checks.ts";
import { searchScopeChecks } from "./search-scope-checks.ts";

/** The contract of a search backend, for vitest. */
export function testSearchBackend(name: string, make: () => Promise<SearchFixture>): void {
  describe(`the search backend ${name}`, () => {
    for (const check of [...searchResultChecks, ...searchScopeChecks]) it(check[0], () => runSearchCheck(make, check));
  });
}
