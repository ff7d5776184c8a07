import { isNormalisedAbsolute } from "../policy/paths.ts";

/** String literals of 1,000 bytes and more do not load; a parameter is kept to the same. */
export const maxPathBytes = 999;

/** A path that cannot stand in a profile: it is not in the kernel's form, or too long. */
export class UnusablePathError extends Error {
  constructor(path: string) {
    super(`the path ${JSON.stringify(path.slice(0, 200))} is not a normalised absolute path of at most ${maxPathBytes} bytes`);
    this.name = "UnusablePathError";
  }
}

/** Collects the paths of a profile: its text holds their parameters' names only. */
export class Parameters {
  readonly #names = new Map<string, string>();

  /** The expression that stands for a path. */
  of(path: string): string {
    if (!isNormalisedAbsolute(path) || Buffer.byteLength(path) > maxPathBytes) throw new UnusablePathError(path);
    const name = this.#names.get(path) ?? `P${this.#names.size}`;
    this.#names.set(path, name);
    return `(param "${name}")`;
  }

  /** Values by name: what `-D NAME=value` is given. */
  get values(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#names].map(([path, name]) => [name, path]));
  }
}
