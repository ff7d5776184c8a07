import { isAbsolute } from "node:path/posix";
import { SearchFault } from "../search-backend.ts";

/** `~`, `~/x` and `~user/x`, as a shell takes them; `~$x.docx` and `~x` are names. */
const namesHome = /^~(?:$|[\w.-]*\/)/u;

/** A longer glob is not repeated with the way to write it: no path is longer either. In characters. */
const maxRepeatedCharacters = 4096;

/** A glob is relative to the directory that is searched: refuses one that says otherwise, with the way to write it. */
export function checkGlob(glob: string, field: "pattern" | "glob"): void {
  if (glob.includes("\0")) throw new SearchFault({ kind: "invalid", field }, "it contains a NUL character; no file name does");
  if (namesHome.test(glob)) {
    throw new SearchFault({ kind: "invalid", field }, "it begins with ~, as a home directory does; give the directory in `path` and a relative pattern, such as **/*.ts. Write \\~ where a name begins so");
  }
  if (isAbsolute(glob)) throw new SearchFault({ kind: "invalid", field }, `it is an absolute path; patterns are relative to \`path\`. ${relativeForm(glob, field)}`);
  if (glob.split(/[/{},]/u).includes("..")) {
    throw new SearchFault({ kind: "invalid", field }, "it contains `..`; patterns are relative to `path` and stay below it. Give the directory to search in `path`, and the pattern without `..`");
  }
}

function relativeForm(glob: string, field: string): string {
  if (glob.length > maxRepeatedCharacters) return `Give the directory to search in \`path\`, and what follows it in \`${field}\``;
  const fixed = fixedDirectory(glob);
  return `Write \`path\`: ${JSON.stringify(fixed)} and \`${field}\`: ${JSON.stringify(glob.slice(fixed === "/" ? 1 : fixed.length + 1) || "**/*")}`;
}

/** The directories before the first wildcard. */
function fixedDirectory(glob: string): string {
  const segments = glob.split("/").slice(0, -1);
  const wild = segments.findIndex((segment) => /[*?[{]/u.test(segment));
  return (wild === -1 ? segments : segments.slice(0, wild)).join("/") || "/";
}
