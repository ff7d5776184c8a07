import { basename, dirname, resolve } from "node:path/posix";
import { FileSystemError, type FileSystem } from "../files/file-system.ts";

/** Where a path leads once every symlink is followed, as far as the disk can tell. */
export type RealPath =
  | { readonly kind: "exists"; readonly real: string }
  /** `real` is the nearest existing ancestor's real path with the rest appended. */
  | { readonly kind: "missing"; readonly real: string }
  /** A symlink on the way leads to nothing. `real` is where creating it would put the file. */
  | { readonly kind: "dangling"; readonly link: string; readonly target: string; readonly real: string }
  /** Something on the way cannot be entered: ENOTDIR, EACCES, ELOOP, ENAMETOOLONG, … `real`: where `at` leads, if known. */
  | { readonly kind: "failed"; readonly code: string; readonly at: string; readonly real?: string };

/** More links than this in one path is a loop. */
const maxLinks = 40;

/** Never rejects for what an absolute path may be: failures are values. */
export async function findRealPath(fileSystem: FileSystem, path: string, linksLeft: number = maxLinks): Promise<RealPath> {
  const found = await attempt(() => fileSystem.realpath(path));
  if (found.ok) return found.value === path ? { kind: "exists", real: path } : byItsOwnName(fileSystem, path, found.value, linksLeft);
  if (found.code === "ENOTDIR" || found.code === "EACCES") return closedAbove(fileSystem, path, found.code, linksLeft);
  if (found.code !== "ENOENT") return { kind: "failed", code: found.code, at: path };
  const entry = await attempt(() => fileSystem.lstat(path));
  if (entry.ok && entry.value.kind === "symlink") return danglingLink(fileSystem, path, linksLeft);
  const parent = dirname(path);
  if (parent === path) return { kind: "failed", code: "ENOENT", at: path };
  const above = await findRealPath(fileSystem, parent, linksLeft);
  if (above.kind === "failed") return above;
  if (above.kind === "exists" && !(await isDirectory(fileSystem, above.real))) return { kind: "failed", code: "ENOTDIR", at: parent, real: above.real };
  const real = join(above.real, basename(path));
  return above.kind === "dangling" ? { ...above, real } : { kind: "missing", real };
}

/**
 * Asked for the real path of a file that has several names, macOS may give another one than was asked for, and what is
 * judged must be the name that is used. So the parent is resolved and the last name kept, and links are followed one by one.
 */
async function byItsOwnName(fileSystem: FileSystem, path: string, real: string, linksLeft: number): Promise<RealPath> {
  const entry = await attempt(() => fileSystem.lstat(path));
  if (!entry.ok || (entry.value.kind !== "file" && entry.value.kind !== "symlink")) return { kind: "exists", real };
  const parent = await attempt(() => fileSystem.realpath(dirname(path)));
  if (!parent.ok) return { kind: "failed", code: parent.code, at: dirname(path) };
  if (entry.value.kind === "symlink") {
    const text = linksLeft === 0 ? { ok: false as const, code: "ELOOP" } : await attempt(() => fileSystem.readlink(path));
    return text.ok ? findRealPath(fileSystem, resolve(parent.value, text.value), linksLeft - 1) : { kind: "failed", code: text.code, at: path };
  }
  const [asked, given] = [basename(path), basename(real)];
  // One name in another spelling: the disk's own is kept.
  return { kind: "exists", real: join(parent.value, sameName(asked, given) ? given : asked) };
}

function sameName(left: string, right: string): boolean {
  return left.normalize().toLowerCase() === right.normalize().toLowerCase();
}

/** The nearest ancestor that can be resolved is the one that does not let anybody in. */
async function closedAbove(fileSystem: FileSystem, path: string, code: string, linksLeft: number): Promise<RealPath> {
  const parent = dirname(path);
  if (parent === path) return { kind: "failed", code, at: path };
  const above = await findRealPath(fileSystem, parent, linksLeft);
  if (above.kind === "failed") return above;
  return { kind: "failed", code, at: parent, real: above.real };
}

async function danglingLink(fileSystem: FileSystem, link: string, linksLeft: number): Promise<RealPath> {
  if (linksLeft === 0) return { kind: "failed", code: "ELOOP", at: link };
  const text = await attempt(() => fileSystem.readlink(link));
  if (!text.ok) return { kind: "failed", code: text.code, at: link };
  const parent = await findRealPath(fileSystem, dirname(link), linksLeft - 1);
  if (parent.kind === "failed") return parent;
  const target = resolve(parent.real, text.value);
  const end = await findRealPath(fileSystem, target, linksLeft - 1);
  return end.kind === "failed" ? end : { kind: "dangling", link, target, real: end.real };
}

async function isDirectory(fileSystem: FileSystem, path: string): Promise<boolean> {
  const stat = await attempt(() => fileSystem.lstat(path));
  return stat.ok && stat.value.kind === "directory";
}

function join(parent: string, name: string): string {
  return parent === "/" ? `/${name}` : `${parent}/${name}`;
}

type Attempt<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly code: string };

async function attempt<T>(work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (error instanceof FileSystemError) return { ok: false, code: error.code };
    throw error;
  }
}
