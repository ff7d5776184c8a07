/** Path arithmetic on absolute, normalised POSIX paths. By whole segments: `/x/app-evil` is not under `/x/app`. */

export function isUnder(path: string, root: string): boolean {
  return path === root || isBelow(path, root);
}

/** Like `isUnder`, without the root itself. */
export function isBelow(path: string, root: string): boolean {
  return root === "/" ? path !== "/" && path.startsWith("/") : path.startsWith(`${root}/`);
}

/** Absolute, no empty, `.` or `..` segment, no trailing slash, no NUL: the only spelling rules are compared in. */
export function isNormalisedAbsolute(path: string): boolean {
  if (path === "/") return true;
  if (!path.startsWith("/") || path.includes("\0")) return false;
  return path
    .slice(1)
    .split("/")
    .every((segment) => segment !== "" && segment !== "." && segment !== "..");
}

export function joinPath(root: string, relative: string): string {
  return root === "/" ? `/${relative}` : `${root}/${relative}`;
}

export function parentOf(path: string): string {
  const cut = path.lastIndexOf("/");
  return cut <= 0 ? "/" : path.slice(0, cut);
}

/** The last segment; nothing for `/`. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The segments of `path` below `root`; none for the root itself. `path` must be under `root`. */
export function segmentsBelow(path: string, root: string): readonly string[] {
  const rest = path.slice(root === "/" ? 1 : root.length + 1);
  return rest === "" ? [] : rest.split("/");
}

/** First occurrences, in order. */
export function unique(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)];
}
