import { alternate, concat, emptyHir, type Hir } from "./hir.ts";

/** Alternations smaller than this are left as they are. */
const leastAlternatives = 8;

/**
 * Joins alternatives that begin alike, so that a list of thousands of words becomes a tree. Changes which alternative
 * is preferred, not whether one matches: for questions of "whether" only.
 */
export function shareBeginnings(hir: Hir): Hir {
  switch (hir.kind) {
    case "concat":
      return concat(hir.parts.map(shareBeginnings));
    case "alternate":
      return hir.parts.length < leastAlternatives ? { kind: "alternate", parts: hir.parts.map(shareBeginnings) } : tree(hir.parts.map(partsOf), 0);
    case "repeat":
      return { ...hir, part: shareBeginnings(hir.part) };
    default:
      return hir;
  }
}

function partsOf(hir: Hir): readonly Hir[] {
  return hir.kind === "concat" ? hir.parts : hir.kind === "empty" ? [] : [hir];
}

/** Deeper than this, alternatives stay apart: the tree must not outgrow the stack. */
const maxDepth = 60;

/** @param depth how many parts of each branch are dealt with: they are the same in all */
function tree(branches: readonly (readonly Hir[])[], depth: number): Hir {
  const groups = new Map<string | number, (readonly Hir[])[]>();
  let unique = 0;
  let endsHere = false;
  for (const branch of branches) {
    const first = branch[depth];
    if (!first) {
      endsHere = true;
      continue;
    }
    unique += 1;
    const key = keyOf(first) ?? `#${unique}`;
    const group = groups.get(key);
    if (group) group.push(branch);
    else groups.set(key, [branch]);
  }
  const parts = [...groups.values()].map((group): Hir => {
    if (group.length === 1 || depth >= maxDepth) return alternate(group.map((branch) => concat(branch.slice(depth))));
    return concat([group[0]?.[depth] ?? emptyHir, tree(group, depth + 1)]);
  });
  return { kind: "alternate", parts: endsHere ? [...parts, emptyHir] : parts };
}

/** The same for parts that are the same; undefined for those of which that is not known. */
function keyOf(hir: Hir): string | number | undefined {
  if (hir.kind !== "class" && hir.kind !== "bytes") return undefined;
  const [lo = 0, hi] = hir.ranges;
  // By far the most are plain characters: a number costs less than a text.
  if (hir.kind === "class" && hir.ranges.length === 2 && lo === hi) return lo;
  return `${hir.kind}${hir.ranges.join(",")}`;
}
