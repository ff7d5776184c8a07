import { alternate, type Hir } from "../../regex/hir.ts";
import { Regex } from "../../regex/regex.ts";
import { parseGlob, type GlobOptions } from "./glob-syntax.ts";

/** Decides about paths below the base of a glob. Takes time linear in the path, whatever the glob. */
export interface GlobMatcher {
  matches(path: string): boolean;
  /** Whether something below this directory can match: else the walk need not enter it. */
  canMatchBelow(directory: string): boolean;
  /** `.git` is written in it: no wildcard stands for that. */
  readonly namesGit: boolean;
}

export interface GlobMatcherOptions {
  readonly matchesHidden: boolean;
  readonly ignoreCase: boolean;
  /** A glob without a slash is compared with the name, at any depth. */
  readonly namesAtAnyDepth: boolean;
}

/** @throws GlobError */
export function globMatcher(glob: string, options: GlobMatcherOptions): GlobMatcher {
  const pattern = glob.startsWith("./") ? glob.slice(2) : glob;
  const anywhere = options.namesAtAnyDepth && !pattern.includes("/") ? `**/${pattern}` : pattern;
  const spellings = anywhere.normalize("NFC") === anywhere.normalize("NFD") ? [anywhere] : [anywhere, anywhere.normalize("NFC"), anywhere.normalize("NFD")];
  const hirs = [...new Set(spellings)].flatMap((spelling) => readings(spelling, options));
  const regex = new Regex(alternate(hirs), { anchored: true });
  return {
    matches: (path) => regex.findEnd(paths.buffer, 0, paths.write(path)) !== -1,
    canMatchBelow: (directory) => regex.canBegin(paths.buffer, 0, paths.write(`${directory}/`)),
    namesGit: pattern.split(/[/{},]/u).includes(".git"),
  };
}

/** As a glob, and, where it has brackets, also as the name of something: `app/[id]/page.tsx` is both. */
function readings(glob: string, { matchesHidden, ignoreCase }: GlobMatcherOptions): readonly Hir[] {
  const options: GlobOptions = { matchesHidden, ignoreCase, literalBrackets: false };
  const asGlob = parseGlob(glob, options);
  return /[[{]/u.test(glob) ? [asGlob, parseGlob(glob, { ...options, literalBrackets: true })] : [asGlob];
}

/** Paths as bytes, in one buffer that is used again. */
const paths = {
  buffer: Buffer.alloc(16_384),
  write(path: string): number {
    const most = path.length * 3;
    if (most > this.buffer.length) this.buffer = Buffer.alloc(most * 2);
    return this.buffer.write(path, 0, "utf8");
  },
};
