import type { Closures } from "./closure.ts";
import { laneCount, runLanes } from "./lanes.ts";
import { bytesBetweenQuestions, unmetered, type Meter } from "./meter.ts";
import type { Program } from "./program.ts";
import { gaveUp, matched, StateTable } from "./state-table.ts";

/** Without a match for so many bytes the next match is thought to be far: text is read in several places side by side. */
const calmBytes = 1024;

/** The most text that is divided at once: what is read beyond the first match of it is read again. */
const maxDividedBytes = 131_072;

/** Where two readings never came together, it is not tried again for so many bytes. */
const apartBytes = 1_048_576;

/** The deterministic automaton of a program, built as the text demands it. One table look-up a byte. */
export class LazyAutomaton {
  readonly #states: StateTable;
  readonly #anchored: boolean;
  readonly #laneStarts = new Int32Array(laneCount);
  readonly #laneStates = new Int32Array(laneCount);
  /** Bytes read since the last match, of all texts. */
  #calm = 0;
  #stateReached = 0;

  constructor(program: Program, closures: Closures, { anchored }: { readonly anchored: boolean }) {
    this.#states = new StateTable(program, closures, { anchored });
    this.#anchored = anchored;
  }

  /**
   * Where the match that ends first ends, in the text from `from` to `to`: -1 if there is none, `gaveUp` if simulating
   * is cheaper. Exact unless a Unicode word look stands beside a byte beyond ASCII; then a match is only possible.
   *
   * @param begin matches begin here or later
   */
  find(bytes: Uint8Array, from: number, to: number, meter: Meter = unmetered, begin = from): number {
    const states = this.#states;
    states.meter = meter;
    let state = begin === from ? states.start() : states.startAfter(bytes[begin - 1]!);
    let table = states.entries;
    let at = begin;
    let divideFrom = this.#anchored ? Infinity : begin + Math.max(0, calmBytes - this.#calm);
    let askAt = begin + bytesBetweenQuestions;
    while (at < to) {
      if (at >= askAt) {
        askAt = at + bytesBetweenQuestions;
        meter();
      }
      if (at >= divideFrom && to - at >= calmBytes) {
        const end = Math.min(to, at + Math.max(calmBytes, Math.min(this.#calm, maxDividedBytes)));
        const reached = this.#sideBySide(bytes, at, end, state);
        if (reached === gaveUp) return gaveUp;
        // Where something stopped it, the rest of what was divided is read in one go.
        divideFrom = end - reached < laneCount ? reached : end;
        this.#calm += reached - at;
        at = reached;
        state = this.#stateReached;
        table = states.entries;
        if (at === divideFrom) continue;
      }
      const began = at;
      const stop = Math.min(to, askAt, at < divideFrom ? divideFrom : to);
      while (at < stop) {
        let next = 0;
        while (at < stop && (next = table[state + bytes[at]!]!) >= 0) {
          state = next;
          at += 1;
        }
        if (at >= stop) break;
        const known = states.after(state, bytes[at]!, at - began);
        if (known === gaveUp) return gaveUp;
        if (known === matched) {
          states.bytesRead += at - began;
          this.#calm = 0;
          return at;
        }
        table = states.entries;
        state = known;
        at += 1;
      }
      states.bytesRead += at - began;
      this.#calm += at - began;
      if (this.#anchored && states.isDead(state)) return -1;
    }
    return states.matchesAtEnd(state) ? to : -1;
  }

  /**
   * Reads from `at` in state `state` to `to`, in lanes, while no match is seen. Returns up to where nothing matches for
   * certain, and leaves the state there in `stateReached`; or `gaveUp`.
   *
   * All lanes but the first begin as if nothing stood before them. What they find is a match all the same, and what
   * they miss is begun before: so each lane is continued beyond its end until it is in the state in which the next was.
   */
  #sideBySide(bytes: Uint8Array, at: number, to: number, state: number): number {
    const states = this.#states;
    const starts = this.#laneStarts;
    const reached = this.#laneStates;
    const length = Math.floor((to - at) / laneCount);
    const { refills } = states;
    for (let lane = 0; lane < laneCount; lane += 1) {
      starts[lane] = at + lane * length;
      reached[lane] = lane === 0 ? state : states.startAfter(bytes[starts[lane]! - 1]!);
    }
    for (let step = 0; ; step += 1) {
      const began = step;
      step = runLanes(states.entries, bytes, starts, reached, step, length);
      states.bytesRead += laneCount * (step - began);
      if (step === length) return this.#join(bytes, length);
      // Only what the first lane has read is known to hold no match: its state is kept for the case that one ends it.
      const first = reached[0]!;
      const content = states.contentOf(first);
      for (let lane = 0; lane < laneCount; lane += 1) {
        const next = states.after(reached[lane]!, bytes[starts[lane]! + step]!, 0);
        if (next === gaveUp) return gaveUp;
        if (next === matched || states.refills !== refills) {
          this.#stateReached = states.refills === refills ? first : states.stateWith(content);
          return at + step;
        }
        reached[lane] = next;
      }
    }
  }

  /** Continues each lane into the next, until both are in one state: from there on the next one's reading holds. */
  #join(bytes: Uint8Array, length: number): number {
    const states = this.#states;
    const { refills } = states;
    for (let lane = 1; lane < laneCount; lane += 1) {
      const start = this.#laneStarts[lane]!;
      let truly = this.#laneStates[lane - 1]!;
      let fresh = states.startAfter(bytes[start - 1]!);
      for (let step = 0; truly !== fresh; step += 1) {
        this.#stateReached = truly;
        if (step === length) {
          this.#calm = -apartBytes;
          return start + step;
        }
        const content = states.contentOf(truly);
        const byte = bytes[start + step]!;
        truly = states.after(truly, byte, 0);
        if (truly === gaveUp) return gaveUp;
        if (truly === matched) return start + step;
        fresh = states.refills === refills ? states.after(fresh, byte, 0) : fresh;
        if (fresh === gaveUp) return gaveUp;
        if (states.refills !== refills) {
          this.#stateReached = states.stateWith(content);
          return start + step;
        }
      }
    }
    this.#stateReached = this.#laneStates[laneCount - 1]!;
    return this.#laneStarts[laneCount - 1]! + length;
  }

  /**
   * The last place from `begin` up to `to` at which no match that began before is under way; `begin` where none is known.
   * Text in which a match ends before `to` is not asked about.
   */
  lastFresh(bytes: Uint8Array, from: number, to: number, meter: Meter, begin: number): number {
    const states = this.#states;
    states.meter = meter;
    let state = begin === from ? states.start() : states.startAfter(bytes[begin - 1]!);
    let fresh = begin;
    for (let at = begin; at < to; ) {
      const stop = Math.min(to, at + bytesBetweenQuestions);
      const began = at;
      for (; at < stop; at += 1) {
        const next = states.after(state, bytes[at]!, at - began);
        if (next < 0) return fresh;
        state = next;
        if (states.isFresh(state)) fresh = at + 1;
      }
      states.bytesRead += at - began;
      meter();
    }
    return fresh;
  }

  /** Whether a text that begins so can still match: for an anchored program. */
  canBegin(bytes: Uint8Array, from: number, to: number): boolean {
    const states = this.#states;
    let state = states.start();
    for (let at = from; at < to; at += 1) {
      const next = states.after(state, bytes[at]!, 0);
      if (next < 0) return true;
      state = next;
    }
    return !states.isDead(state);
  }
}
