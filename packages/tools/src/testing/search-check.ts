import { SearchFault, type FileMatches, type GlobOutcome, type GlobRequest, type GrepOutcome, type GrepRequest, type SearchBackend } from "../search/search-backend.ts";
import { grepRequestOf, heedless, searchScopeOf } from "./search-request.ts";

/** A search backend under test, and a directory that it searches. Made once a test. */
export interface SearchFixture {
  readonly backend: SearchBackend;
  /** The real path of an empty directory, in no repository. */
  readonly root: string;
  /**
   * Makes a file below `root` with the directories above it.
   *
   * @param modified in seconds since the epoch
   */
  write(path: string, content: string | Uint8Array, modified: number): Promise<void>;
  /** Makes a symlink below `root`. Absent where the system has none. */
  readonly symlink?: (target: string, path: string) => Promise<void>;
  /** Lets the backend read the file or directory at `path` no more. Absent where nothing can be kept from it. */
  readonly close?: (path: string) => Promise<void>;
  remove(): Promise<void>;
}

interface Grepped extends GrepOutcome {
  readonly found: readonly FileMatches[];
  readonly list: string;
}

interface Globbed extends GlobOutcome {
  readonly list: string;
}

export interface Searches {
  readonly fixture: SearchFixture;
  readonly files: (contents: Readonly<Record<string, string | Uint8Array>>) => Promise<void>;
  readonly grep: (pattern: string, extra?: Partial<GrepRequest>) => Promise<Grepped>;
  readonly glob: (pattern: string, extra?: Partial<GlobRequest>) => Promise<Globbed>;
}

/** One rule of the contract, as a sentence, and what rejects where it is broken. */
export type SearchCheck = readonly [rule: string, check: (searches: Searches) => Promise<void>];

export async function runSearchCheck(make: () => Promise<SearchFixture>, [, check]: SearchCheck): Promise<void> {
  const fixture = await make();
  try {
    await check(searchesOf(fixture));
  } finally {
    await fixture.backend.close();
    await fixture.remove();
  }
}

export function faultOf(search: Promise<unknown>): Promise<unknown> {
  return search.then(() => "no fault", (error: unknown) => (SearchFault.isInstance(error) ? error.reason : error));
}

function searchesOf(fixture: SearchFixture): Searches {
  const { backend, root } = fixture;
  return {
    fixture,
    async files(contents) {
      for (const [path, content] of Object.entries(contents)) await fixture.write(path, content, 1_700_000_000);
    },
    async grep(pattern, extra) {
      const found: FileMatches[] = [];
      const pieces: Buffer[] = [];
      const outcome = await backend.grep({ ...grepRequestOf(root, pattern), ...extra }, { ...heedless, file: (matches) => found.push(matches), list: (bytes) => pieces.push(Buffer.from(bytes)) });
      return { ...outcome, found, list: Buffer.concat(pieces).toString() };
    },
    async glob(pattern, extra) {
      const pieces: Buffer[] = [];
      const outcome = await backend.glob({ ...searchScopeOf(root), pattern, maxNewest: 100, ...extra }, { ...heedless, list: (bytes) => pieces.push(Buffer.from(bytes)) });
      return { ...outcome, list: Buffer.concat(pieces).toString() };
    },
  };
}
