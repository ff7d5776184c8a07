/** The most cells of Myers' trace that are worth an exact diff: about 2,000 changed lines among common ones. */
const maxTraceCells = 4_000_000;

/**
 * Whether Myers' algorithm finds the shortest edit script within `maxTraceCells`. It only looks how far each diagonal
 * reaches and keeps no trace, so the answer costs milliseconds where the diff itself would cost seconds.
 */
export function fitsTrace(left: Int32Array, right: Int32Array): boolean {
  const offset = left.length + right.length + 1;
  const reach = new Int32Array(2 * offset + 1);
  for (let distance = 0, cells = 0; cells <= maxTraceCells; distance++) {
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      const below = reach[offset + diagonal + 1] ?? 0;
      const before = reach[offset + diagonal - 1] ?? 0;
      let x = diagonal === -distance || (diagonal !== distance && before < below) ? below : before + 1;
      while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal]) x++;
      if (x >= left.length && x - diagonal >= right.length) return true;
      reach[offset + diagonal] = x;
    }
    cells += 2 * distance + 1;
  }
  return false;
}
