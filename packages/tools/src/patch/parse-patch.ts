import { parseHunk, startsSection } from "./parse-hunk.ts";
import { PatchError } from "./patch-error.ts";
import { gitPaths, headerPath, noFile, requireInside, withoutPrefixes } from "./patch-path.ts";
import type { PatchHunk, PatchSection } from "./patch-types.ts";

/**
 * Reads a unified diff: changed, added, deleted and renamed files, in the order of the patch.
 *
 * section  = ["diff --git a/x b/x" *extended] ["--- old" "+++ new" *hunk]
 * extended = mode, index and similarity lines (ignored), "rename from x" and "rename to y", "new file mode", "deleted file mode"
 * hunk     = "@@ -line,count +line,count @@" *(" " | "+" | "-" | "\")
 */
export function parsePatch(text: string): readonly PatchSection[] {
  const lines = patchLines(text);
  const sections: PatchSection[] = [];
  for (let index = 0; index < lines.length; ) {
    if (startsSection(lines, index)) {
      const { section, next } = parseSection(lines, index);
      sections.push(section);
      index = next;
      continue;
    }
    const line = lines[index] ?? "";
    if (line.startsWith("@@") || line.startsWith("--- ") || line.startsWith("+++ ")) throw headerFault(`Line ${index + 1} of the patch (${JSON.stringify(line.slice(0, 60))}) belongs to no file.`);
    index++;
  }
  if (sections.length === 0) throw headerFault("The patch names no file.");
  return sections;
}

function headerFault(what: string): PatchError {
  return new PatchError("missing_file_header", `${what} Start each file with "--- a/<path>" and "+++ b/<path>" (/dev/null for a file that is added or deleted). Nothing was changed.`);
}

/** A patch whose own headers end in `\r` came through something that made every line break `\r\n`. */
function patchLines(text: string): readonly string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const dressed = lines.some((line) => /^(?:---|\+\+\+|@@) .*\r$/.test(line));
  return dressed ? lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line)) : lines;
}

interface Extended {
  readonly git: readonly [string, string] | undefined;
  readonly isGit: boolean;
  renameFrom?: string;
  renameTo?: string;
  added: boolean;
  deleted: boolean;
  readonly ignored: string[];
}

function parseSection(lines: readonly string[], start: number): { readonly section: PatchSection; readonly next: number } {
  let index = start;
  const first = lines[index] ?? "";
  const isGit = first.startsWith("diff --git ");
  const extended: Extended = { isGit, git: isGit ? gitPaths(first.slice("diff --git ".length)) : undefined, added: false, deleted: false, ignored: [] };
  if (isGit) {
    for (index++; index < lines.length && !startsSection(lines, index) && !(lines[index] ?? "").startsWith("@@"); index++) {
      if (!takeExtended(lines[index] ?? "", extended)) break;
    }
  }
  let paths: readonly [string, string] | undefined;
  if ((lines[index] ?? "").startsWith("--- ") && (lines[index + 1] ?? "").startsWith("+++ ")) {
    paths = withoutPrefixes(headerPath((lines[index] ?? "").slice(4)), headerPath((lines[index + 1] ?? "").slice(4)));
    index += 2;
  } else if ((lines[index] ?? "").startsWith("@@")) throw headerFault(`The hunk at line ${index + 1} of the patch has no "---" and "+++" lines before it.`);
  const named = nameSection(paths, extended);
  const hunks: PatchHunk[] = [];
  while ((lines[index] ?? "").startsWith("@@")) {
    const { hunk, next } = parseHunk(lines, index, named.to);
    hunks.push(hunk);
    index = next;
    // Empty lines between hunks mean nothing.
    while (lines[index] === "" && (lines[index + 1] ?? "").startsWith("@@")) index++;
  }
  if (paths !== undefined && hunks.length === 0) throw new PatchError("invalid_hunk_header", `${named.to} has a file header but no hunk. Write "@@ -<line>,<count> +<line>,<count> @@" and its lines. Nothing was changed.`);
  if (paths === undefined && named.kind === "modify" && extended.ignored.every((line) => line.startsWith("index "))) throw headerFault(`${named.to} has a git header but no change.`);
  return { section: { ...named, hunks, ignored: extended.ignored }, next: index };
}

/** False where the line is none of a git header's. */
function takeExtended(line: string, extended: Extended): boolean {
  if (/^(?:GIT binary patch|Binary files )/.test(line)) throw unsupported("binary changes");
  if (/^copy (?:from|to) /.test(line)) throw unsupported("copies");
  if (/^(?:(?:old|new|deleted file|new file) mode|index) /.test(line) && line.endsWith(" 160000")) throw unsupported("submodules");
  if (/^(?:new|new file) mode 120000$/.test(line)) throw unsupported("symlinks");
  const rename = /^rename (from|to) (.*)$/.exec(line);
  if (rename) {
    if (rename[1] === "from") extended.renameFrom = headerPath(rename[2] ?? "");
    else extended.renameTo = headerPath(rename[2] ?? "");
    return true;
  }
  if (/^(?:new file|deleted file) mode /.test(line)) {
    extended.added ||= line.startsWith("new");
    extended.deleted ||= line.startsWith("deleted");
    extended.ignored.push(line);
    return true;
  }
  const isIgnored = /^(?:old mode|new mode|similarity index|dissimilarity index|index) /.test(line);
  if (isIgnored) extended.ignored.push(line);
  return isIgnored;
}

function unsupported(what: string): PatchError {
  return new PatchError("unsupported_git_patch_feature", `The patch holds ${what}, which apply_patch does not do. Leave that part out. Nothing was changed.`);
}

type Named = Pick<PatchSection, "kind" | "from" | "to">;

function nameSection(paths: readonly [string, string] | undefined, extended: Extended): Named {
  const [oldPath, newPath] = paths ?? pathsOfHeader(extended);
  const { renameFrom, renameTo } = extended;
  if (renameFrom !== undefined || renameTo !== undefined) {
    const agrees = renameFrom !== undefined && renameTo !== undefined && agree(renameFrom, oldPath) && agree(renameTo, newPath) && (!extended.git || (extended.git[0] === renameFrom && extended.git[1] === renameTo));
    if (!agrees) throw renameFault(`The rename lines (${String(renameFrom)} to ${String(renameTo)}) do not fit the other headers.`);
    return { kind: "rename", from: requireInside(renameFrom), to: requireInside(renameTo) };
  }
  if (oldPath === noFile && newPath === noFile) throw headerFault("A file header has /dev/null on both sides.");
  if (oldPath === noFile || extended.added) return { kind: "add", from: requireInside(newPath), to: requireInside(newPath) };
  if (newPath === noFile || extended.deleted) return { kind: "delete", from: requireInside(oldPath), to: requireInside(oldPath) };
  if (oldPath !== newPath) throw renameFault(`The headers name ${oldPath} before and ${newPath} after, without rename lines.`);
  if (extended.git && extended.git[1] !== newPath) throw renameFault(`The git line names ${extended.git[1]}, the file header ${newPath}.`);
  return { kind: "modify", from: requireInside(oldPath), to: requireInside(newPath) };
}

function pathsOfHeader({ git, renameFrom, renameTo }: Extended): readonly [string, string] {
  if (renameFrom !== undefined && renameTo !== undefined) return [renameFrom, renameTo];
  if (git === undefined) throw headerFault('The paths of a "diff --git" line cannot be told apart.');
  return git;
}

/** Prefixes may have been stripped on one side only, where the other is a plain name. */
function agree(renamed: string, path: string): boolean {
  return renamed === path || `a/${renamed}` === path || `b/${renamed}` === path;
}

function renameFault(what: string): PatchError {
  return new PatchError("rename_path_mismatch", `${what} To rename, write the line "diff --git a/<old> b/<new>" and both "rename from <old>" and "rename to <new>". Nothing was changed.`);
}
