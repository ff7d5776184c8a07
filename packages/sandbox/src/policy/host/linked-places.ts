import { lstatSync, readlinkSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { LinkedPlace } from "../environment.ts";
import { protectedMatcher } from "../matcher.ts";
import { isBelow, joinPath, parentOf } from "../paths.ts";
import type { ProtectedRule } from "../protected-rule.ts";
import { isDirectory } from "./real-path.ts";

/** More links than this in one path is a loop. */
const maxLinks = 40;

/**
 * What protected names that are symlinks lead through and to, as far as it lies in `within`: each further link on the
 * way, and the end, which need not exist yet. What is written there is what the protected name says.
 *
 * @param links symlinks in directories that are not links themselves
 * @param rules the protected names of the workspace
 */
export function linkedPlaces(links: readonly string[], rules: readonly ProtectedRule[], within: readonly string[]): readonly LinkedPlace[] {
  const matcher = protectedMatcher(rules, false);
  const found = links.flatMap((link): readonly LinkedPlace[] => {
    const hits = matcher.match(link);
    const rule = hits.hardProtected ?? hits.sensitive;
    const way = rule && wayOf(link);
    if (rule === undefined || way === undefined) return [];
    const covers = rule.covers === "subtree" || !isDirectory(way.end) ? "subtree" : "entry";
    const tier = hits.hardProtected ? "hard-protected" : "sensitive";
    return [...way.links.slice(1).map((path) => ({ path, tier, covers: "entry" }) as const), { path: way.end, tier, covers }];
  });
  return found.filter(({ path }) => within.some((root) => isBelow(path, root)));
}

/** The links that have to be followed, the given one first, and where they end; undefined for a loop. */
function wayOf(link: string): { readonly links: readonly string[]; readonly end: string } | undefined {
  const links: string[] = [];
  const names = [basename(link)];
  let at = dirname(link);
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    if (name === "" || name === ".") continue;
    if (name === "..") {
      at = parentOf(at);
      continue;
    }
    const next = joinPath(at, name);
    const text = linkText(next);
    if (text === undefined) {
      at = next;
      continue;
    }
    links.push(next);
    if (links.length > maxLinks) return undefined;
    if (text.startsWith("/")) at = "/";
    names.push(...text.split("/").toReversed());
  }
  return { links, end: at };
}

function linkText(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}
