import type { Access } from "@fencepost/sandbox";

/** A path that the fence let through for one access under one call's policy. Only `resolvePath` makes one. */
export interface CheckedPath {
  /** The real path, symlinks resolved: what is opened. */
  readonly real: string;
  /** As the model gave it, made absolute and normalised without looking at the disk. */
  readonly lexical: string;
  /** For texts: relative to the working directory where it lies inside; line breaks in names are written as escapes. */
  readonly shown: string;
  readonly access: Access;
  readonly checked: typeof checkedBrand;
}

/** A type that nothing outside this file can name. */
declare const checkedBrand: unique symbol;

const made = new WeakSet<object>();

/** Only for `resolvePath`: the fence has let this path through. A test reads the sources for other callers. */
export function markChecked(path: Omit<CheckedPath, "checked">): CheckedPath {
  const checked = Object.freeze({ ...path }) as CheckedPath;
  made.add(checked);
  return checked;
}

/** Whether the fence made this value; a look-alike from elsewhere is not one, whatever its type says. */
export function isCheckedPath(value: object): value is CheckedPath {
  return made.has(value);
}
