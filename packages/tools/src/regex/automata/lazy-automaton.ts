import { looks } from "../hir.ts";
import { byteGroups } from "./byte-groups.ts";
import { accepts } from "./class-automaton.ts";
import type { Closures } from "./closure.ts";
import { bytesBetweenQuestions, unmetered, type Meter } from "./meter.ts";
import { noByte, possibleLooks, isAsciiWord } from "./place.ts";
import type { Program } from "./program.ts";

/** Table entries that are no state. */
const unknown = -1;
const matched = -2;

/** `find` found that the table does not pay: too many states for the text. The caller simulates instead. */
export const gaveUp = -2;

const maxStates = 3000;
const maxKernelInts = 3_000_000;

/** A table that is filled faster than this many bytes a state are read is not worth having. */
const leastBytesAState = 10;

/** How often a table may be thrown away and begun again before that is asked. */
const freeRefills = 1;

/**
 * The deterministic automaton of a program, built as the text demands it. One table look-up a byte. A state is the set
 * of threads before a byte is read, and a stand-in for the byte before, where looks ask for it.
 */
export class LazyAutomaton {
  readonly #program: Program;
  readonly #closures: Closures;
  readonly #anchored: boolean;
  readonly #groupOf: Uint8Array;
  readonly #entered: Uint32Array;
  readonly #states = new Map<string, number>();
  #table = new Int32Array(64 * 256).fill(unknown);
  #kernels: Int32Array[] = [];
  #previous: number[] = [];
  #atEnd: number[] = [];
  #start = unknown;
  #kernelInts = 0;
  #generation = 0;
  #refills = 0;
  #bytesSinceRefill = 0;

  constructor(program: Program, closures: Closures, anchored: boolean) {
    this.#program = program;
    this.#closures = closures;
    this.#anchored = anchored;
    this.#groupOf = byteGroups(program);
    this.#entered = new Uint32Array(program.threads + program.nodes.length);
  }

  /**
   * Where the match that ends first ends, in the text from `from` to `to`: -1 if there is none, `gaveUp` if simulating
   * is cheaper. Exact unless a Unicode word look stands beside a byte beyond ASCII; then a match is only possible.
   */
  find(bytes: Uint8Array, from: number, to: number, meter: Meter = unmetered): number {
    let table = this.#table;
    let state = this.#startState();
    let at = from;
    table = this.#table;
    while (at < to) {
      const stop = Math.min(to, at + bytesBetweenQuestions);
      const began = at;
      while (at < stop) {
        let next = unknown;
        while (at < stop && (next = table[state + bytes[at]!]!) >= 0) {
          state = next;
          at += 1;
        }
        if (at >= stop) break;
        if (next === matched) {
          this.#bytesSinceRefill += at - began;
          return at;
        }
        const built = this.#build(state, bytes[at]!, at - began);
        if (built === matched) return at;
        if (built === gaveUp - 1) return gaveUp;
        table = this.#table;
        state = built;
        at += 1;
      }
      this.#bytesSinceRefill += at - began;
      if (this.#anchored && this.#kernels[state >> 8]!.length === 0) return -1;
      if (at < to) meter();
    }
    return this.#matchesAtEnd(state >> 8) ? to : -1;
  }

  /** Whether a text that begins so can still match: for an anchored program. */
  canBegin(bytes: Uint8Array, from: number, to: number): boolean {
    let state = this.#startState();
    for (let at = from; at < to; at += 1) {
      const next = this.#table[state + bytes[at]!]!;
      const known = next === unknown ? this.#build(state, bytes[at]!, 0) : next;
      if (known < 0) return true;
      state = known;
    }
    return this.#kernels[state >> 8]!.length > 0;
  }

  #startState(): number {
    if (this.#start === unknown) this.#start = this.#stateOf([this.#program.threads + this.#program.start], noByte);
    return this.#start;
  }

  #matchesAtEnd(index: number): boolean {
    const known = this.#atEnd[index]!;
    if (known !== unknown) return known === 1;
    const held = possibleLooks(this.#previous[index]!, noByte);
    const { threads } = this.#program;
    const found = this.#kernels[index]!.some((id) => id >= threads && this.#closures.of(id - threads, held).matched);
    this.#atEnd[index] = found ? 1 : 0;
    return found;
  }

  /** The state after `byte`, now in the table for every byte of its group; `matched`; or `gaveUp - 1`. */
  #build(state: number, byte: number, bytesRead: number): number {
    const index = state >> 8;
    const kernel = this.#kernels[index]!;
    const previous = this.#previous[index]!;
    const next = this.#step(kernel, previous, byte);
    const group = this.#groupOf[byte]!;
    if (next === undefined) {
      this.#enter(state, group, matched);
      return matched;
    }
    if (this.#kernels.length >= maxStates || this.#kernelInts > maxKernelInts) {
      const read = this.#bytesSinceRefill + bytesRead;
      this.#refills += 1;
      if (this.#refills > freeRefills && read < leastBytesAState * this.#kernels.length) return gaveUp - 1;
      this.#forget();
      return this.#stateOf(next, this.#standIn(byte));
    }
    const target = this.#stateOf(next, this.#standIn(byte));
    this.#enter(state, group, target);
    return target;
  }

  #enter(state: number, group: number, target: number): void {
    for (let byte = 0; byte < 256; byte += 1) if (this.#groupOf[byte] === group) this.#table[state + byte] = target;
  }

  /** The threads and pending nodes after `byte`; undefined where a match ends before it. */
  #step(kernel: Int32Array, previous: number, byte: number): number[] | undefined {
    const { threads, classes, classOf, start } = this.#program;
    const held = possibleLooks(previous, byte);
    this.#generation += 1;
    const generation = this.#generation;
    const out: number[] = [];
    const add = (id: number): void => {
      if (this.#entered[id] === generation) return;
      this.#entered[id] = generation;
      out.push(id);
    };
    const step = (thread: number): void => {
      const node = classes[classOf[thread]!]!;
      const target = node.automaton.next[(thread - node.first) * 256 + byte]!;
      if (target !== -1) add(target === accepts ? threads + node.next : node.first + target);
    };
    for (const id of kernel) {
      if (id < threads) {
        step(id);
        continue;
      }
      const reach = this.#closures.of(id - threads, held);
      if (reach.matched) return undefined;
      for (const thread of reach.threads) step(thread);
    }
    if (!this.#anchored) add(threads + start);
    return out;
  }

  /** One byte for all that the program's looks cannot tell from it when it stands before. */
  #standIn(byte: number): number {
    const asked = this.#program.looks & ~looks.notDot;
    if (asked === 0) return 0x20;
    if (byte === 10 || byte === 13) return byte;
    if (byte >= 0x80) return this.#program.unicodeLooks ? 0x80 : 0x20;
    return isAsciiWord(byte) ? 0x61 : 0x20;
  }

  #stateOf(ids: number[], previous: number): number {
    ids.sort((left, right) => left - right);
    const key = `${previous}:${ids.join(",")}`;
    const known = this.#states.get(key);
    if (known !== undefined) return known << 8;
    const index = this.#kernels.length;
    this.#kernels.push(Int32Array.from(ids));
    this.#previous.push(previous);
    this.#atEnd.push(unknown);
    this.#kernelInts += ids.length + 16;
    this.#states.set(key, index);
    if ((index + 1) * 256 > this.#table.length) {
      const grown = new Int32Array(this.#table.length * 2).fill(unknown, this.#table.length);
      grown.set(this.#table);
      this.#table = grown;
    }
    return index << 8;
  }

  #forget(): void {
    this.#states.clear();
    this.#kernels = [];
    this.#previous = [];
    this.#atEnd = [];
    this.#start = unknown;
    this.#kernelInts = 0;
    this.#bytesSinceRefill = 0;
    this.#table.fill(unknown);
  }
}
