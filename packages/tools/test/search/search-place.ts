import { chmodSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { resultText, type ToolResult } from "@fencepost/contract";
import type { CallContext } from "../../src/context/call-context.ts";
import type { ToolOptions } from "../../src/context/tool-options.ts";
import { globTool } from "../../src/builtin/glob.ts";
import { grepTool } from "../../src/builtin/grep.ts";
import { createLocalSearchBackend } from "../../src/search/local/local-search-backend.ts";
import { makeTestPlace, type TestPlace } from "../toolset/test-place.ts";

type GrepInput = Parameters<typeof grepTool.execute>[2];
type GlobInput = Parameters<typeof globTool.execute>[2];

/** A workspace on the real disk, with the real search behind the two tools. */
export interface SearchPlace extends TestPlace {
  /** Writes files below the workspace: path → content. */
  files(contents: Readonly<Record<string, string | Uint8Array>>): void;
  grep(input: GrepInput, extra?: Partial<CallContext>): Promise<string>;
  glob(input: GlobInput, extra?: Partial<CallContext>): Promise<string>;
  grepResult(input: GrepInput, extra?: Partial<CallContext>): Promise<ToolResult>;
  globResult(input: GlobInput, extra?: Partial<CallContext>): Promise<ToolResult>;
  close(): Promise<void>;
}

export async function makeSearchPlace(options: Partial<ToolOptions> = {}): Promise<SearchPlace> {
  const place = await makeTestPlace({ options });
  const search = createLocalSearchBackend();
  const session = { ...place.session, search };
  const grepResult: SearchPlace["grepResult"] = (input, extra) => grepTool.execute(session, place.call(extra), input);
  const globResult: SearchPlace["globResult"] = (input, extra) => globTool.execute(session, place.call(extra), input);
  return {
    ...place,
    session,
    files(contents) {
      for (const [path, content] of Object.entries(contents)) {
        const absolute = join(place.workspace, path);
        mkdirSync(dirname(absolute), { recursive: true });
        writeFileSync(absolute, content);
        chmodSync(absolute, 0o644);
      }
    },
    grepResult,
    globResult,
    grep: async (input, extra) => resultText(await grepResult(input, extra)),
    glob: async (input, extra) => resultText(await globResult(input, extra)),
    async close() {
      await search.close();
      await place.remove();
    },
  };
}

/** Gives a file of the workspace a time, in seconds. */
export function setTime(place: SearchPlace, path: string, seconds: number): void {
  utimesSync(join(place.workspace, path), seconds, seconds);
}

/** Writes files of one time, so that the newest first is the order of their paths. */
export function filesOfOneTime(place: SearchPlace, paths: readonly string[], content = ""): void {
  place.files(Object.fromEntries(paths.map((path) => [path, content])));
  for (const path of paths) setTime(place, path, 1_700_000_000);
}
