import type { Meter } from "../../regex/automata/meter.ts";
import { byteRates, type RequiredWindows, type Window } from "../../regex/required-windows.ts";

/** Below this many bytes a step, on average, the automaton is as fast. */
const leastStepBytes = 3;

/** Without a place that fits for so many bytes, the text that follows is stepped through in several parts side by side. */
const calmBytes = 4096;

/** How much text is divided into such parts at a time. */
const dividedBytes = 65_536;

/** Comparisons that lead nowhere, after which it is asked whether they are too many. */
const freeComparisons = 64;

/** Comparisons that are more frequent than one in so many bytes cost more than the automaton. */
const leastBytesAComparison = 8;

/** The scan does not pay on this text. */
export const scanGaveUp = -2;

/**
 * Finds the places of a text that fit one of several windows. Two bytes tell how far the next place that can fit is
 * (Wu and Manber's way), so that most bytes are never looked at.
 */
export class WindowScanner {
  readonly #length: number;
  /** Two bytes → how much further a window that fits may end at the earliest; 0: it may end here. */
  readonly #steps: Uint8Array;
  /** A place in the window and the byte there → a bit for each window that this fits. */
  readonly #fitting: Int32Array;
  #calm = 0;
  #looked = 0;
  #comparisons = 0;

  /** Undefined where its steps would be too short to pay. */
  static of({ windows }: RequiredWindows): WindowScanner | undefined {
    const length = windows[0]?.length ?? 0;
    if (length < leastStepBytes + 1) return undefined;
    const scanner = new WindowScanner(windows, length);
    return scanner.#averageStep() >= leastStepBytes ? scanner : undefined;
  }

  private constructor(windows: readonly Window[], length: number) {
    this.#length = length;
    this.#steps = new Uint8Array(65_536).fill(length - 1);
    this.#fitting = new Int32Array(length * 256);
    for (const [index, window] of windows.entries()) {
      for (const [place, { bytes }] of window.entries()) {
        for (const byte of bytes) this.#fitting[place * 256 + byte]! |= 1 << index;
        const step = length - 1 - place;
        for (const before of window[place - 1]?.bytes ?? []) {
          for (const byte of bytes) this.#steps[before * 256 + byte] = Math.min(step, this.#steps[before * 256 + byte]!);
        }
      }
    }
  }

  /** Before each text: whether the scan pays is judged anew. */
  reset(): void {
    this.#looked = 0;
    this.#comparisons = 0;
  }

  /** The last byte of the first place at or after `from` that fits; -1 if there is none; or `scanGaveUp`. */
  next(text: Uint8Array, from: number, meter: Meter): number {
    for (let at = from + this.#length - 1; at < text.length; ) {
      const divides = this.#calm >= calmBytes;
      const end = Math.min(text.length, at + (divides ? dividedBytes : calmBytes));
      if (!divides || !this.#fitsNowhere(text, at, end)) {
        const found = this.#first(text, at, end);
        if (found !== -1) {
          this.#looked += found - at;
          this.#calm = 0;
          return found;
        }
      }
      this.#looked += end - at;
      this.#calm += end - at;
      if (this.#comparisons > freeComparisons && this.#comparisons * leastBytesAComparison > this.#looked) return scanGaveUp;
      at = end;
      meter();
    }
    return -1;
  }

  /** Steps through four parts of the text in turn: a step waits for the one before it, but not for those of other parts. */
  #fitsNowhere(text: Uint8Array, from: number, to: number): boolean {
    const steps = this.#steps;
    const part = (to - from) >> 2;
    const second = from + part;
    const third = second + part;
    const fourth = third + part;
    let one = from;
    let two = second;
    let three = third;
    let four = fourth;
    while (one < second && two < third && three < fourth && four < to) {
      const stepOne = steps[(text[one - 1]! << 8) | text[one]!]!;
      const stepTwo = steps[(text[two - 1]! << 8) | text[two]!]!;
      const stepThree = steps[(text[three - 1]! << 8) | text[three]!]!;
      const stepFour = steps[(text[four - 1]! << 8) | text[four]!]!;
      if (stepOne === 0 || stepTwo === 0 || stepThree === 0 || stepFour === 0) {
        if (this.#fits(text, one, stepOne) || this.#fits(text, two, stepTwo) || this.#fits(text, three, stepThree) || this.#fits(text, four, stepFour)) return false;
        one += stepOne === 0 ? 1 : stepOne;
        two += stepTwo === 0 ? 1 : stepTwo;
        three += stepThree === 0 ? 1 : stepThree;
        four += stepFour === 0 ? 1 : stepFour;
        continue;
      }
      one += stepOne;
      two += stepTwo;
      three += stepThree;
      four += stepFour;
    }
    return this.#first(text, one, second) === -1 && this.#first(text, two, third) === -1 && this.#first(text, three, fourth) === -1 && this.#first(text, four, to) === -1;
  }

  #first(text: Uint8Array, from: number, to: number): number {
    const steps = this.#steps;
    for (let at = from; at < to; ) {
      const step = steps[(text[at - 1]! << 8) | text[at]!]!;
      if (step === 0) {
        if (this.#fits(text, at, 0)) return at;
        at += 1;
      } else at += step;
    }
    return -1;
  }

  #fits(text: Uint8Array, end: number, step: number): boolean {
    if (step !== 0) return false;
    this.#comparisons += 1;
    const begin = end - this.#length + 1;
    let fitting = -1;
    for (let place = this.#length - 1; place >= 0 && fitting !== 0; place -= 1) fitting &= this.#fitting[(place << 8) | text[begin + place]!]!;
    return fitting !== 0;
  }

  #averageStep(): number {
    let sum = 0;
    let weight = 0;
    for (let before = 0; before < 128; before += 1) {
      for (let byte = 0; byte < 128; byte += 1) {
        const rate = byteRates[before]! * byteRates[byte]!;
        weight += rate;
        sum += rate * this.#steps[before * 256 + byte]!;
      }
    }
    return sum / weight;
  }
}
