import type { Hir } from "./hir.ts";
import { commonness } from "./unicode/commonness.ts";
import type { Ranges } from "./unicode/ranges.ts";

/** The bytes that may stand at one place of a text. */
export interface Place {
  readonly bytes: readonly number[];
  /** How often text has one of them. */
  readonly rate: number;
}

export type Window = readonly Place[];

export interface RequiredWindows {
  /** Every match contains a text that fits one of them. All are equally long. */
  readonly windows: readonly Window[];
  /** How often text fits one, a byte: a rough guess. */
  readonly rate: number;
}

/** So many are told apart by the bits of one number. */
const maxWindows = 32;

/** Longer ones let nothing more through, and cost more to compare. */
const maxWindowBytes = 16;

/** Longer texts are not followed: a part of them is as good. */
const maxRunBytes = 64;

/** So many texts of one pattern are compared: others are hardly rarer. */
const maxOffers = 64;

/** A class of more code points beyond ASCII would be too many texts. */
const maxEncodedPoints = 4;

/** The texts of which each match contains one, chosen so that they are rare: what to look for first where no single literal will do. */
export function requiredWindows(hir: Hir): RequiredWindows | undefined {
  const runs = new Runs();
  runs.add(hir);
  runs.end();
  return runs.best;
}

/** Follows a pattern from left to right, and keeps the rarest of the texts that it must contain. */
class Runs {
  best: RequiredWindows | undefined;
  /** All that may stand just before the next part. */
  #open: Window[] = [[]];
  #offers = 0;

  add(hir: Hir): void {
    if (this.#offers >= maxOffers) return;
    const texts = textsOf(hir);
    if (texts) {
      this.#append(texts);
      return;
    }
    if (hir.kind === "concat") for (const part of hir.parts) this.add(part);
    else if (hir.kind === "repeat") this.#repeat(hir);
    else {
      this.end();
      if (hir.kind === "alternate") this.#offerAnyOf(hir.parts);
    }
  }

  /** Nothing is known of what follows. */
  end(): void {
    this.#offer(this.#open);
    this.#open = [[]];
  }

  #append(texts: readonly Window[]): void {
    if (this.#open.length * texts.length > maxWindows || this.#open.some(({ length }) => length >= maxRunBytes)) this.end();
    this.#open = this.#open.flatMap((open) => texts.map((text) => [...open, ...text]));
  }

  /** What is repeated stands there at least once: before what may follow it, and behind what it follows. */
  #repeat({ part, min }: Hir & { readonly kind: "repeat" }): void {
    const texts = min === 0 ? undefined : textsOf(part);
    if (texts) {
      const copies = Array.from({ length: texts.length === 1 ? Math.min(min, maxWindowBytes) : 1 }, () => texts);
      for (const copy of copies) this.#append(copy);
      this.end();
      for (const copy of copies) this.#append(copy);
      return;
    }
    this.end();
    if (min === 0) return;
    this.add(part);
    this.end();
  }

  #offerAnyOf(parts: readonly Hir[]): void {
    const windows: Window[] = [];
    if (parts.length > maxWindows) return;
    for (const part of parts) {
      const found = requiredWindows(part);
      if (!found || windows.length + found.windows.length > maxWindows) return;
      windows.push(...found.windows);
    }
    this.#offer(windows);
  }

  #offer(texts: readonly Window[]): void {
    const length = Math.min(maxWindowBytes, ...texts.map((text) => text.length));
    if (length < 1) return;
    this.#offers += 1;
    const windows = texts.map((text) => rarestPart(text, length));
    const rate = windows.reduce((sum, window) => sum + rateOf(window), 0);
    if (!this.best || rate < this.best.rate) this.best = { windows, rate };
  }
}

/** All texts that fit a pattern, if they are few and short; undefined otherwise, and where nothing fits. */
function textsOf(hir: Hir): readonly Window[] | undefined {
  switch (hir.kind) {
    case "empty":
    case "look":
      return [[]];
    case "bytes":
      return hir.ranges.length === 0 ? undefined : [[placeOf(bytesOf(hir.ranges, 0xff))]];
    case "class":
      return textsOfClass(hir.ranges);
    case "concat":
      return hir.parts.length > maxRunBytes ? undefined : product(hir.parts.length, (index) => textsOf(hir.parts[index]!));
    case "alternate": {
      if (hir.parts.length > maxWindows) return undefined;
      const texts: Window[] = [];
      for (const part of hir.parts) {
        const found = textsOf(part);
        if (!found || texts.length + found.length > maxWindows) return undefined;
        texts.push(...found);
      }
      return texts;
    }
    default: {
      const texts = hir.min === hir.max && hir.max <= maxWindowBytes ? textsOf(hir.part) : undefined;
      return texts && product(hir.max, () => texts);
    }
  }
}

function product(length: number, textsAt: (index: number) => readonly Window[] | undefined): readonly Window[] | undefined {
  let all: Window[] = [[]];
  for (let index = 0; index < length; index += 1) {
    const texts = textsAt(index);
    if (!texts || all.length * texts.length > maxWindows || all.some((text) => text.length >= maxRunBytes)) return undefined;
    all = all.flatMap((before) => texts.map((text) => [...before, ...text]));
  }
  return all;
}

const encoder = new TextEncoder();

function textsOfClass(ranges: Ranges): readonly Window[] | undefined {
  const texts: Window[] = [];
  const ascii = bytesOf(ranges, 0x7f);
  if (ascii.length > 0) texts.push([placeOf(ascii)]);
  for (let index = 0; index < ranges.length; index += 2) {
    for (let point = Math.max(0x80, ranges[index]!); point <= ranges[index + 1]!; point += 1) {
      if (texts.length > maxEncodedPoints) return undefined;
      // Halves of a pair are in no text.
      if (point < 0xd800 || point > 0xdfff) texts.push(Array.from(encoder.encode(String.fromCodePoint(point)), (byte) => placeOf([byte])));
    }
  }
  return texts.length === 0 ? undefined : texts;
}

function bytesOf(ranges: Ranges, last: number): readonly number[] {
  const bytes: number[] = [];
  for (let index = 0; index < ranges.length; index += 2) {
    for (let byte = ranges[index]!; byte <= Math.min(last, ranges[index + 1]!); byte += 1) bytes.push(byte);
  }
  return bytes;
}

function rarestPart(text: Window, length: number): Window {
  let best = text.slice(0, length);
  for (let from = 1; from + length <= text.length; from += 1) {
    const part = text.slice(from, from + length);
    if (rateOf(part) < rateOf(best)) best = part;
  }
  return best;
}

function rateOf(window: Window): number {
  return window.reduce((rate, place) => rate * place.rate, 1);
}

/** How much of text each byte is: a rough guess. */
export const byteRates = Float64Array.from({ length: 256 }, (_, byte) => 2 ** commonness(byte));

function placeOf(bytes: readonly number[]): Place {
  return { bytes, rate: bytes.reduce((sum, byte) => sum + byteRates[byte]!, 0) };
}
