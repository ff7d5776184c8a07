import { createHash } from "node:crypto";

/** A longer name would not fit a file system, with its suffix. */
const maxNameCharacters = 200;

const hashCharacters = 16;

/** An id as a file name: characters outside `[A-Za-z0-9_-]` become `_`. A very long one is cut and told apart by a hash. */
export function spillName(id: string): string {
  const name = id.replaceAll(/[^A-Za-z0-9_-]/g, "_") || "_";
  if (name.length <= maxNameCharacters) return name;
  const hash = createHash("sha256").update(id).digest("hex").slice(0, hashCharacters);
  return `${name.slice(0, maxNameCharacters - hashCharacters - 1)}-${hash}`;
}
