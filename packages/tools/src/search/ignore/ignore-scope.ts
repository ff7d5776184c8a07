import type { IgnoreRules, IgnoreVerdict } from "./ignore-rules.ts";

/** The ignore files that speak for the entries of one directory, nearest first. Immutable: subdirectories extend it. */
export interface IgnoreScope {
  readonly parent: IgnoreScope | undefined;
  /** The directory's path below the outermost one that counts, "" there, else ending in "/". As bytes, one a character. */
  readonly prefix: string;
  /** `.ignore`: any of these outranks any `.gitignore`. */
  readonly dotIgnore: IgnoreRules | undefined;
  readonly git: IgnoreRules | undefined;
  /** `info/exclude` of the repository whose root this is. */
  readonly exclude: IgnoreRules | undefined;
  /** Git's rules of directories above do not reach in here. */
  readonly isRepository: boolean;
  /** Whether any rule exists from here up: most trees have few. */
  readonly silent: boolean;
  /** About what the rules from here up take of memory, in bytes. */
  readonly bytes: number;
}

/** @param path the entry's path below the outermost directory that counts */
export function judgeEntry(scope: IgnoreScope, name: string, path: string, isDirectory: boolean): IgnoreVerdict {
  if (scope.silent) return undefined;
  return judgeBytes(scope, toBytes(name), toBytes(path), isDirectory);
}

/** Git compares bytes: here a string has one a character. */
export function toBytes(text: string): string {
  // oxlint-disable-next-line no-control-regex -- what is not ASCII
  return /[^\0-\x7f]/u.test(text) ? Buffer.from(text).toString("latin1") : text;
}

function judgeBytes(scope: IgnoreScope, name: string, path: string, isDirectory: boolean): IgnoreVerdict {
  for (let at: IgnoreScope | undefined = scope; at; at = at.parent) {
    const verdict = at.dotIgnore?.judge(name, path, at.prefix.length, isDirectory);
    if (verdict) return verdict;
  }
  let root = scope;
  for (let at: IgnoreScope | undefined = scope; at; at = at.isRepository ? undefined : at.parent) {
    const verdict = at.git?.judge(name, path, at.prefix.length, isDirectory);
    if (verdict) return verdict;
    root = at;
  }
  return root.exclude?.judge(name, path, root.prefix.length, isDirectory);
}
