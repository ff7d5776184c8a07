import { footerReserveBytes, resultTextBytes, succeeded, type ToolResult } from "@fencepost/contract";
import { Type, type Static } from "typebox";
import { FileFault } from "../files/file-fault.ts";
import { maxGlobCharacters } from "../search/glob/max-glob-characters.ts";
import { withoutEndSlashes } from "../search/glob/without-end-slashes.ts";
import { savedNote, withList, type Listed, type ResultList } from "../search/result-list.ts";
import type { GlobHints, GlobOutcome } from "../search/search-backend.ts";
import { searchCall, type SearchPlace } from "../search/search-call.ts";
import { searchScope, timeoutOf } from "../search/search-scope.ts";
import { counted, endedEarly, exactly, reasonsText, shownPattern, unreadableNote } from "../search/search-texts.ts";
import { defineTool } from "../toolset/define-tool.ts";
import { GlobData } from "./result-data.ts";

/** The most files that one result of glob names. */
const maxShownFiles = 100;

const maxBodyBytes = resultTextBytes - footerReserveBytes;

const Input = Type.Object(
  {
    pattern: Type.String({ minLength: 1, maxLength: maxGlobCharacters, description: "Relative to `path`: * ? [a-z] {a,b} and ** for any depth, such as src/**/*.ts" }),
    path: Type.Optional(Type.String({ minLength: 1, description: 'Directory, default "."' })),
    includeHidden: Type.Optional(Type.Boolean({ description: "Wildcards also match names that begin with a dot; default false" })),
  },
  { additionalProperties: false },
);

const description = [
  `Find files by name, newest first, at most ${maxShownFiles}. Respects .gitignore and skips hidden entries, unless the pattern names them (.github/*.yml).`,
  "Finds files only: use list for directories, grep for contents.",
].join(" ");

export const globTool = defineTool({
  id: "glob",
  description,
  risk: "read_only",
  capabilities: ["filesystem.read"],
  family: "search",
  inputSchema: Input,
  resultSchema: GlobData,
  examples: [{ pattern: "**/*.ts" }, { pattern: "*.{json,toml}", path: "packages" }],
  execute: (session, call, input) =>
    searchCall(session, call, input.path ?? ".", async (place) => {
      if (place.kind === "file") throw new FileFault("not_a_file", `${place.path.shown} is a file, not a directory. Give the directory to search in \`path\`, or read the file.`);
      const timeoutMs = timeoutOf(session, call);
      const scope = await searchScope(session, call, place, { includeHidden: input.includeHidden ?? false, timeoutMs });
      const search = (list: ResultList): Promise<GlobOutcome> =>
        session.search.glob({ ...scope, pattern: input.pattern, maxNewest: maxShownFiles }, { list: (bytes) => list.add(bytes), listFull: () => list.full });
      const listed = await withList(session, call.callId, search, ({ stopped, newest, total }) => stopped === undefined && fitting(newest).length < total);
      return present(input, place, { ...listed, timeoutMs });
    }),
});

interface Found extends Listed<GlobOutcome> {
  readonly timeoutMs: number;
}

function present({ pattern }: Static<typeof Input>, { path }: SearchPlace, { outcome, saved, timeoutMs }: Found): ToolResult {
  const shown = fitting(outcome.newest);
  const { total, stopped, unreadable } = outcome;
  const searched = `${shownPattern(pattern)} in ${path.shown}`;
  const extras = {
    data: { files: shown, total, complete: stopped === undefined },
    display: { kind: "search" as const, title: searched.slice(0, 200), fields: [{ label: "files", value: String(total) }] },
  };
  if (total === 0 && !stopped) return succeeded(`No files match ${searched}${reasonsText(reasons(pattern, outcome))}`, extras);
  return succeeded([...shown, ...missingNote(shown.length, outcome, { saved, timeoutMs }), ...unreadableNote(unreadable)].join("\n"), extras);
}

/** What the text does not show. */
function missingNote(shown: number, { total, stopped }: GlobOutcome, { saved, timeoutMs }: Pick<Found, "saved" | "timeoutMs">): readonly string[] {
  if (stopped) return [`[at least ${total} files; ${endedEarly(stopped, timeoutMs)} — narrow the path or pattern]`];
  return shown < total ? [`[showing the ${shown} most recently modified of ${total} files${savedNote(saved)}]`] : [];
}

/** As many of the newest as fit a result: names can be long. */
function fitting(paths: readonly string[]): readonly string[] {
  let bytes = 0;
  const count = paths.findIndex((path) => (bytes += Buffer.byteLength(path) + 1) > maxBodyBytes);
  return count === -1 ? paths : paths.slice(0, count);
}

function reasons(pattern: string, { hints, unreadable }: GlobOutcome): readonly string[] {
  return [...(hints ? hintReasons(pattern, hints) : []), ...counted(exactly(unreadable), "path unreadable", "paths unreadable")];
}

function hintReasons(pattern: string, hints: GlobHints): readonly string[] {
  const shown = shownPattern(pattern);
  const directory = shownPattern(withoutEndSlashes(pattern));
  return [
    ...(hints.namesDirectory ? [`it is a directory: use ${directory}/** for the files below it`] : []),
    ...counted(hints.ignoredFiles, "file skipped by ignore rules", "files skipped by ignore rules"),
    ...counted(hints.hiddenFiles, "hidden file matches: set `includeHidden`", "hidden files match: set `includeHidden`"),
    ...counted(hints.otherCaseFiles, "file matches with another case", "files match with another case"),
    ...counted(hints.deeperFiles, `file matches **/${shown}`, `files match **/${shown}`),
  ];
}
