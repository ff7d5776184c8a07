import { succeeded, type ToolResult } from "@fencepost/contract";
import { Type, type Static } from "typebox";
import { maxPatternCharacters } from "../regex/max-pattern-characters.ts";
import { anyLineEnd } from "../search/any-line-end.ts";
import { maxGlobCharacters } from "../search/glob/max-glob-characters.ts";
import { GrepText, maxShownLineBytes, maxShownLines, maxShownLinesAFile } from "../search/grep-text.ts";
import { plainPattern } from "../search/plain-pattern.ts";
import { savedNote, withList, type Listed, type ResultList } from "../search/result-list.ts";
import type { GrepHints, GrepMode, GrepOutcome, GrepRequest, SearchScope } from "../search/search-backend.ts";
import { searchCall, type SearchPlace } from "../search/search-call.ts";
import { searchScope, timeoutOf } from "../search/search-scope.ts";
import { counted, endedEarly, exactly, reasonsText, shownPattern, unreadableNote } from "../search/search-texts.ts";
import { defineTool } from "../toolset/define-tool.ts";
import { GrepData } from "./result-data.ts";

/** A longer pattern is not written out as it should be. */
const maxRewrittenCharacters = 100;

/** The most lines around each match that a call may ask for. */
const maxContextLines = 10;

const Input = Type.Object(
  {
    pattern: Type.String({ minLength: 1, maxLength: maxPatternCharacters, description: "Regular expression, Rust syntax; no look-around, no back-references" }),
    path: Type.Optional(Type.String({ minLength: 1, description: 'File or directory, default "."' })),
    glob: Type.Optional(Type.String({ minLength: 1, maxLength: maxGlobCharacters, description: "Only files it matches, relative to `path`, such as src/**/*.ts; without a slash it is a name at any depth, such as *.ts" })),
    outputMode: Type.Optional(Type.Union([Type.Literal("content"), Type.Literal("files_with_matches"), Type.Literal("count")], { description: 'Default "content"' })),
    ignoreCase: Type.Optional(Type.Boolean({ description: "Default false" })),
    contextLines: Type.Optional(Type.Integer({ minimum: 0, maximum: maxContextLines, description: "Lines shown around each match, default 0" })),
    multiline: Type.Optional(Type.Boolean({ description: "The pattern may match line breaks (\\n), default false" })),
    includeHidden: Type.Optional(Type.Boolean({ description: "Also search entries that begin with a dot, except .git; default false" })),
  },
  { additionalProperties: false },
);

const description = [
  "Search the contents of files for a regular expression. Respects .gitignore, skips hidden and binary files; a file or directory named in `path` is searched even if ignored.",
  `Shows at most ${maxShownLines} lines, ${maxShownLinesAFile} a file, and says how many there are in all. Use glob to search for file names.`,
].join(" ");

export const grepTool = defineTool({
  id: "grep",
  description,
  risk: "read_only",
  capabilities: ["filesystem.read"],
  family: "search",
  inputSchema: Input,
  resultSchema: GrepData,
  examples: [{ pattern: "TODO" }, { pattern: "fn \\w+_id\\(", path: "src", glob: "**/*.rs", outputMode: "count" }],
  execute: (session, call, input) =>
    searchCall(session, call, input.path ?? ".", async (place) => {
      const timeoutMs = timeoutOf(session, call);
      const scope = await searchScope(session, call, place, { includeHidden: input.includeHidden ?? false, timeoutMs });
      const request = requestOf(input, scope);
      const text = new GrepText(request.mode, request.contextLines);
      const search = (list: ResultList): Promise<GrepOutcome> =>
        session.search.grep(request, {
          file: (found) => {
            text.add(found);
            if (request.mode !== "content") list.add(Buffer.from(request.mode === "count" ? `${found.path}:${found.matchingLines}\n` : `${found.path}\n`));
          },
          list: (bytes) => list.add(bytes),
          linesFull: () => text.full,
          listFull: () => list.full,
        });
      const listed = await withList(session, call.callId, search, ({ stopped }) => stopped === undefined && text.leftOut);
      return present(input, place, { ...listed, text, timeoutMs });
    }),
});

function requestOf(input: Static<typeof Input>, scope: SearchScope): GrepRequest {
  return {
    ...scope,
    pattern: input.pattern,
    glob: input.glob,
    mode: input.outputMode ?? "content",
    ignoreCase: input.ignoreCase ?? false,
    multiline: input.multiline ?? false,
    contextLines: input.contextLines ?? 0,
    maxLinesAFile: maxShownLinesAFile,
    maxLineBytes: maxShownLineBytes,
  };
}

interface Found extends Listed<GrepOutcome> {
  readonly text: GrepText;
  readonly timeoutMs: number;
}

function present(input: Static<typeof Input>, { path, kind }: SearchPlace, { text, outcome, saved, timeoutMs }: Found): ToolResult {
  const mode = input.outputMode ?? "content";
  const searched = `/${shownPattern(input.pattern)}/ in ${path.shown}`;
  const extras = {
    data: { matchingLines: outcome.matchingLines, files: outcome.files, shownLines: text.shownLines, shownFiles: text.shownFiles, complete: outcome.stopped === undefined },
    display: { kind: "search" as const, title: searched.slice(0, 200), fields: [{ label: "matches", value: String(outcome.matchingLines) }] },
  };
  const unused = kind === "file" && input.glob !== undefined ? ["`glob` was not applied: `path` is a file"] : [];
  if (outcome.files === 0 && !outcome.stopped) return succeeded(`No matches for ${searched}${reasonsText([...unused, ...reasons(input, outcome)])}`, extras);
  const notes = [...missingNote(mode, text, outcome, { saved, timeoutMs }), ...unreadableNote(outcome.unreadable), ...[...skipped(outcome, { namesBinary: false }), ...unused].map((note) => `[${note}]`)];
  return succeeded([...(text.text === "" ? [] : [text.text]), ...notes].join("\n"), extras);
}

/** What the text does not show. */
function missingNote(mode: GrepMode, text: GrepText, outcome: GrepOutcome, { saved, timeoutMs }: Pick<Found, "saved" | "timeoutMs">): readonly string[] {
  if (outcome.stopped) return [`[at least ${foundText(mode, outcome)}; ${endedEarly(outcome.stopped, timeoutMs)} — narrow the path or glob]`];
  if (!text.leftOut) return [];
  return [`[showing ${mode === "content" ? text.shownLines : text.shownFiles} of ${foundText(mode, outcome)}${savedNote(saved)}]`];
}

function foundText(mode: GrepMode, { matchingLines, files }: GrepOutcome): string {
  if (mode === "content") return `${matchingLines} matching lines in ${files} files`;
  return mode === "count" ? `${files} files with ${matchingLines} matching lines` : `${files} files with matches`;
}

function reasons(input: Static<typeof Input>, outcome: GrepOutcome): readonly string[] {
  const { hints } = outcome;
  return [...(hints ? hintReasons(input, hints) : []), ...counted(exactly(outcome.unreadable), "path unreadable", "paths unreadable"), ...skipped(outcome, { namesBinary: !hints?.binaryMatches.atLeast })];
}

/** What was not searched, or not to its end. Where something matches, nobody misses it in binary files. */
function skipped({ binary, oversized, cutShort }: GrepOutcome, { namesBinary }: { readonly namesBinary: boolean }): readonly string[] {
  return [
    ...(namesBinary ? counted(exactly(binary), "binary file skipped", "binary files skipped") : []),
    ...counted(exactly(oversized), "file skipped because it or one of its lines is too large", "files skipped because they or their lines are too large"),
    ...counted(exactly(cutShort), "file with matches was not searched to its end: it is binary or too large from there on", "files with matches were not searched to their end: they are binary or too large from there on"),
  ];
}

function hintReasons(input: Static<typeof Input>, hints: GrepHints): readonly string[] {
  const isShort = input.pattern.length <= maxRewrittenCharacters;
  const escaped = isShort ? `search for /${plainPattern(input.pattern)}/` : "write a \\ before its special characters";
  const ended = isShort ? `search for /${anyLineEnd(input.pattern)}/` : "write \\r?\\n for each line break";
  return [
    ...(hints.noFileFitsGlob ? [`no file matches the glob ${JSON.stringify(shownPattern(input.glob ?? ""))}, which is relative to \`path\``] : []),
    ...counted(hints.ignoredFiles, "file skipped by ignore rules", "files skipped by ignore rules"),
    ...counted(hints.hiddenFiles, "hidden file skipped: set `includeHidden`", "hidden files skipped: set `includeHidden`"),
    ...counted(hints.otherCaseLines, "match with another case: set `ignoreCase`", "matches with another case: set `ignoreCase`"),
    ...counted(hints.plainTextLines, `line contains it as plain text: ${escaped}`, `lines contain it as plain text: ${escaped}`),
    ...counted(hints.anyLineEndLines, `line matches where lines end in \\r\\n: ${ended}`, `lines match where lines end in \\r\\n: ${ended}`),
    ...counted(hints.binaryMatches, "line of this binary file matches; use bash to look into it", "lines of this binary file match; use bash to look into it"),
  ];
}
