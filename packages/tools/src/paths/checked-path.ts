import type { Access } from "@fencepost/sandbox";

export interface CheckedPathFields {
  /** The real path, symlinks resolved: what is opened. */
  readonly real: string;
  /** As the model gave it, made absolute and normalised without looking at the disk. */
  readonly lexical: string;
  /** For texts: relative to the working directory where it lies inside; line breaks in names are written as escapes. */
  readonly shown: string;
  readonly access: Access;
}

/**
 * A path that the fence let through for one access under one call's policy. Only `resolvePath` makes one (a test reads
 * the sources for others): the private field keeps look-alikes and changed copies out, in types and at run time.
 */
export class CheckedPath implements CheckedPathFields {
  readonly real: string;
  readonly lexical: string;
  readonly shown: string;
  readonly access: Access;
  readonly #fence = true;

  constructor({ real, lexical, shown, access }: CheckedPathFields) {
    this.real = real;
    this.lexical = lexical;
    this.shown = shown;
    this.access = access;
    Object.freeze(this);
  }

  static isChecked(value: object): value is CheckedPath {
    return #fence in value && value.#fence;
  }
}
