/** Bytes, UTF-16 units or numbered lines. */
type Units = Uint8Array | Uint16Array | Int32Array;

/** Where `needle` starts in `haystack`, overlapping places too. Linear in both, whatever they hold (Knuth-Morris-Pratt). */
export function findMatches(haystack: Units, needle: Units, most: number = Number.POSITIVE_INFINITY): readonly number[] {
  if (needle.length === 0) return [];
  const found: number[] = [];
  const borders = bordersOf(needle);
  let matched = 0;
  for (let index = 0; index < haystack.length; index++) {
    const unit = haystack[index];
    while (matched > 0 && needle[matched] !== unit) matched = borders[matched - 1] ?? 0;
    if (needle[matched] !== unit) continue;
    if (++matched < needle.length) continue;
    found.push(index - needle.length + 1);
    if (found.length >= most) break;
    matched = borders[matched - 1] ?? 0;
  }
  return found;
}

/** `findMatches` over a text, at most `most` of them. `indexOf` can be made quadratic, and a model writes the needle. */
export function findInText(text: string, needle: string, most: number): readonly number[] {
  return findMatches(units(text), units(needle), most);
}

function units(text: string): Uint16Array {
  const result = new Uint16Array(text.length);
  for (let index = 0; index < text.length; index++) result[index] = text.charCodeAt(index);
  return result;
}

/** For each prefix, how long its longest proper prefix is that also ends it. */
function bordersOf(needle: Units): Int32Array {
  const borders = new Int32Array(needle.length);
  let length = 0;
  for (let index = 1; index < needle.length; index++) {
    while (length > 0 && needle[index] !== needle[length]) length = borders[length - 1] ?? 0;
    if (needle[index] === needle[length]) length++;
    borders[index] = length;
  }
  return borders;
}

/** The places that a replacement from the left takes: none starts inside the one before. */
export function withoutOverlaps(places: readonly number[], length: number): readonly number[] {
  const taken: number[] = [];
  let free = 0;
  for (const place of places) {
    if (place < free) continue;
    taken.push(place);
    free = place + length;
  }
  return taken;
}
