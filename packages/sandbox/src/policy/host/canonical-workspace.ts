import { resolve } from "node:path";
import { existingRealPath, isDirectory } from "./real-path.ts";

export type CanonicalWorkspace = { readonly path: string } | { readonly error: string };

/** The real path of a directory to work in, or one clause that says why it cannot be one. */
export function canonicalWorkspace(path: string): CanonicalWorkspace {
  if (path.includes("\0")) return { error: "the workspace path contains a NUL character" };
  const real = existingRealPath(resolve(path));
  if (real === undefined) return { error: `the workspace ${path} does not exist or cannot be entered` };
  return isDirectory(real) ? { path: real } : { error: `the workspace ${path} is not a directory` };
}
