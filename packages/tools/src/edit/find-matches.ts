/** Bytes, UTF-16 units or numbered lines. */
type Units = Uint8Array | Uint16Array | Int32Array;

/** Where `needle` starts in `haystack`, overlapping places too. Linear in both, whatever they hold (Knuth-Morris-Pratt). */
export function findMatches(haystack: Units, needle: Units, most: number = Number.POSITIVE_INFINITY): readonly number[] {
  if (needle.length === 0) return [];
  const found: number[] = [];
  const borders = bordersOf(needle);
  let start = startFinder(haystack, needle);
  let matched = 0;
  for (let index = 0; index < haystack.length; index++) {
    if (matched === 0 && start !== undefined) {
      const place = start.find(index);
      if (place === -1) break;
      matched = start.length - 1;
      index = place + matched;
      if (!start.pays) start = undefined;
    }
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

/** So much of a needle is looked for natively: its length bounds what that costs a byte, whatever the bytes are. */
const longestStartBytes = 32;

/** A native call has to pass over so many bytes on average, or looking at each of them is cheaper. */
const leastBytesPerCall = 64;
const callsBeforeJudging = 100;

interface StartFinder {
  readonly length: number;
  find(from: number): number;
  /** Places lie far enough apart. */
  readonly pays: boolean;
}

/** Finds where the beginning of a needle of bytes stands next: most of a haystack is passed over that way. */
function startFinder(haystack: Units, needle: Units): StartFinder | undefined {
  if (!(haystack instanceof Uint8Array && needle instanceof Uint8Array)) return undefined;
  const bytes = Buffer.from(haystack.buffer, haystack.byteOffset, haystack.length);
  const start = needle.subarray(0, longestStartBytes);
  let calls = 0;
  let end = 0;
  return {
    length: start.length,
    find(from) {
      calls++;
      end = bytes.indexOf(start, from);
      return end;
    },
    get pays() {
      return calls < callsBeforeJudging || end > calls * leastBytesPerCall;
    },
  };
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
