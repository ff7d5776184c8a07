import { isAbsolute } from "node:path/posix";
import { SearchFault } from "../search-backend.ts";

/** `~`, `~/x` and `~user/x`, as a shell takes them; `~$x.docx` and `~x` are names. */
const namesHome = /^~(?:$|[\w.-]*\/)/u;

/** A glob is relative to the directory that is searched: refuses one that says otherwise, with the way to write it. */
export function checkGlob(glob: string, field: "pattern" | "glob"): void {
  if (glob.includes("\0")) throw new SearchFault({ kind: "invalid", field }, "it contains a NUL character; no file name does");
  if (namesHome.test(glob)) {
    throw new SearchFault({ kind: "invalid", field }, "it begins with ~, as a home directory does; give the directory in `path` and a relative pattern, such as **/*.ts. Write \\~ where a name begins so");
  }
  if (isAbsolute(glob)) {
    const fixed = fixedDirectory(glob);
    throw new SearchFault({ kind: "invalid", field }, `it is an absolute path; patterns are relative to \`path\`. Write \`path\`: ${JSON.stringify(fixed)} and \`${field}\`: ${JSON.stringify(glob.slice(fixed === "/" ? 1 : fixed.length + 1) || "**/*")}`);
  }
  if (glob.split(/[/{},]/u).includes("..")) {
    throw new SearchFault({ kind: "invalid", field }, "it contains `..`; patterns are relative to `path` and stay below it. Give the directory to search in `path`, and the pattern without `..`");
  }
}

/** The directories before the first wildcard. */
function fixedDirectory(glob: string): string {
  const segments = glob.split("/").slice(0, -1);
  const wild = segments.findIndex((segment) => /[*?[{]/u.test(segment));
  return (wild === -1 ? segments : segments.slice(0, wild)).join("/") || "/";
}
