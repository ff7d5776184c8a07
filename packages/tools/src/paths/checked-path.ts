import type { Access } from "@fencepost/sandbox";

/** A path that the fence let through for one access under one call's policy. Only `resolvePath` makes one. */
export interface CheckedPath {
  /** The real path, symlinks resolved: what is opened. */
  readonly real: string;
  /** As the model gave it, made absolute and normalised without looking at the disk. */
  readonly lexical: string;
  /** For texts: relative to the working directory where it lies inside. */
  readonly shown: string;
  readonly access: Access;
  readonly checked: unique symbol;
}
