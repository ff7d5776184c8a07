import { alternate, concat, emptyHir, type Hir } from "./hir.ts";
import type { Ranges } from "./unicode/ranges.ts";

/** Alternations smaller than this are left as they are. */
const leastAlternatives = 8;

/**
 * Joins alternatives that begin alike, so that a list of thousands of words becomes a tree. Changes which alternative
 * is preferred, not whether one matches: for questions of "whether" only. Where nothing is joined, it is the same object.
 */
export function shareBeginnings(hir: Hir): Hir {
  switch (hir.kind) {
    case "concat": {
      const parts = shareInEach(hir.parts);
      return parts === hir.parts ? hir : concat(parts);
    }
    case "alternate": {
      if (hir.parts.length >= leastAlternatives) return tree(hir.parts.map(partsOf), 0);
      const parts = shareInEach(hir.parts);
      return parts === hir.parts ? hir : { kind: "alternate", parts };
    }
    case "repeat": {
      const part = shareBeginnings(hir.part);
      return part === hir.part ? hir : { ...hir, part };
    }
    default:
      return hir;
  }
}

function shareInEach(parts: readonly Hir[]): readonly Hir[] {
  const shared = parts.map(shareBeginnings);
  return shared.every((part, index) => part === parts[index]) ? parts : shared;
}

function partsOf(hir: Hir): readonly Hir[] {
  return hir.kind === "concat" ? hir.parts : hir.kind === "empty" ? [] : [hir];
}

/** Deeper than this, alternatives stay apart: the tree must not outgrow the stack. */
const maxDepth = 60;

/** Classes of more numbers are not written out to be compared. */
const maxKeyInts = 64;

/** @param depth how many parts of each branch are dealt with: they are the same in all */
function tree(branches: readonly (readonly Hir[])[], depth: number): Hir {
  const groups = new Map<string | number | Ranges, (readonly Hir[])[]>();
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
function keyOf(hir: Hir): string | number | Ranges | undefined {
  if (hir.kind !== "class" && hir.kind !== "bytes") return undefined;
  const [lo = 0, hi] = hir.ranges;
  // By far the most are plain characters: a number costs less than a text.
  if (hir.kind === "class" && hir.ranges.length === 2 && lo === hi) return lo;
  // Large classes are remembered: those that are the same are one object.
  if (hir.ranges.length > maxKeyInts) return hir.kind === "class" ? hir.ranges : undefined;
  return `${hir.kind}${hir.ranges.join(",")}`;
}
