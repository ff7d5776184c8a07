import type { Hir } from "./hir.ts";

/** How many bytes a match has at most; Infinity where nothing bounds it. */
export function longestMatchBytes(hir: Hir): number {
  switch (hir.kind) {
    case "empty":
    case "look":
      return 0;
    case "bytes":
      return 1;
    case "class":
      return utf8Bytes(hir.ranges.at(-1) ?? 0);
    case "concat":
      return hir.parts.reduce((sum, part) => sum + longestMatchBytes(part), 0);
    case "alternate":
      return Math.max(...hir.parts.map(longestMatchBytes));
    default: {
      const longest = longestMatchBytes(hir.part);
      return longest === 0 || hir.max === 0 ? 0 : longest * hir.max;
    }
  }
}

function utf8Bytes(point: number): number {
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
}
