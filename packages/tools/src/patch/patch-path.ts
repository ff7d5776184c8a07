import { isUtf8 } from "node:buffer";
import { PatchError } from "./patch-error.ts";

export const noFile = "/dev/null";

/** A path of a `---` or `+++` line: without a time stamp, unquoted. Git ends one that holds a space with a tab: that one may end in a space. */
export function headerPath(rest: string): string {
  if (rest.startsWith('"')) return unquote(rest);
  const tab = rest.indexOf("\t");
  return tab === -1 ? rest.trimEnd() : rest.slice(0, tab);
}

/** Both paths without `a/` and `b/`, where they have them: a name that merely starts like that is kept. */
export function withoutPrefixes(oldPath: string, newPath: string): readonly [string, string] {
  const [oldHas, newHas] = [oldPath === noFile || oldPath.startsWith("a/"), newPath === noFile || newPath.startsWith("b/")];
  if (!oldHas || !newHas) return [oldPath, newPath];
  return [oldPath === noFile ? oldPath : oldPath.slice(2), newPath === noFile ? newPath : newPath.slice(2)];
}

/** The two paths of `diff --git a/x b/x`, where they can be told apart. */
export function gitPaths(rest: string): readonly [string, string] | undefined {
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/.exec(rest);
  if (quoted) return withoutPrefixes(headerPath(quoted[1] ?? ""), headerPath(quoted[2] ?? ""));
  // Names with spaces: only where both are the same.
  const half = (rest.length - 1) / 2;
  const [left, right] = withoutPrefixes(rest.slice(0, half), rest.slice(half + 1));
  return left === right ? [left, right] : undefined;
}

/** A patch names files below the working directory and nothing else. */
export function requireInside(path: string): string {
  if (path === "") throw new PatchError("missing_file_header", "A file header has no path. Write `--- a/<path>` and `+++ b/<path>`. Nothing was changed.");
  const outside = path.startsWith("/") || path.startsWith("~/") || path.split("/").includes("..") || path.includes("\0");
  if (outside) throw new PatchError("path_escape", `The patch names ${JSON.stringify(path)}: paths in a patch must be relative to the working directory, without "..". Nothing was changed.`);
  return path;
}

const escapes: Readonly<Record<string, string>> = { a: "\x07", b: "\b", t: "\t", n: "\n", v: "\v", f: "\f", r: "\r", '"': '"', "\\": "\\" };

/** C-style quoting as git writes it: octal escapes are bytes of UTF-8. */
function unquote(quoted: string): string {
  const end = quoted.lastIndexOf('"');
  const bytes: Buffer[] = [];
  for (const match of quoted.slice(1, end).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)) {
    if (match[1] !== undefined) bytes.push(Buffer.from([Number.parseInt(match[1], 8)]));
    else if (match[2] !== undefined) bytes.push(Buffer.from(escapes[match[2]] ?? match[2]));
    else bytes.push(Buffer.from(match[3] ?? ""));
  }
  const name = Buffer.concat(bytes);
  // Decoded all the same it would be another file's name.
  if (!isUtf8(name)) throw new PatchError("unsupported_git_patch_feature", `The patch names ${JSON.stringify(quoted)}, which is not valid UTF-8, and file tools use no such names. Leave that part out, or use bash. Nothing was changed.`);
  return name.toString("utf8");
}
