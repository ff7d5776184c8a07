import { looks } from "../hir.ts";
import { byteGroups } from "./byte-groups.ts";
import { accepts } from "./class-automaton.ts";
import { manyWays, type Closures } from "./closure.ts";
import { Marks } from "./marks.ts";
import { threadStepsBetweenQuestions, unmetered, type Meter } from "./meter.ts";
import { isAsciiWord, noByte, possibleLooks } from "./place.ts";
import type { Program } from "./program.ts";

/** Entries of the table that are no state. */
const unknown = -1;
export const matched = -2;

/** The table does not pay: too many states for the text. The caller simulates instead. */
export const gaveUp = -3;

const maxStates = 3000;
const maxKernelInts = 3_000_000;

/** A table that is filled faster than this many bytes a state are read is not worth having. */
const leastBytesAState = 10;

/** How often a table may be thrown away and begun again before it is asked whether it pays. */
const freeRefills = 1;

/** The threads before a byte is read, and a stand-in for the byte before. */
interface StateContent {
  readonly kernel: Int32Array;
  readonly previous: number;
  /** The state before with the same hash, as its place in the list; -1: none. */
  readonly sameHash: number;
}

/**
 * The states of a deterministic automaton, made as they are asked for. A state is the set of threads before a byte is
 * read, and a stand-in for the byte before, where looks ask for it. It is named by the place of its row in the table.
 */
export class StateTable {
  readonly #program: Program;
  readonly #closures: Closures;
  readonly #anchored: boolean;
  readonly #groupOf: Uint8Array;
  readonly #entered: Marks;
  readonly #comesBack: boolean;
  readonly #lastOfHash = new Map<number, number>();
  #contents: StateContent[] = [];
  #atEnd: number[] = [];
  #start = unknown;
  readonly #starts = new Int32Array(256).fill(unknown);
  #kernelInts = 0;
  #steps = 0;
  /** A state's row and a byte → the state after it, `matched` where a match ends before it, or `unknown`. */
  entries = new Int32Array(64 * 256).fill(unknown);
  /** How often the states were forgotten: those from before mean nothing any more. */
  refills = 0;
  /** Asked while states are made. */
  meter: Meter = unmetered;
  /** Told by the reader, to judge whether the table pays. */
  bytesRead = 0;

  constructor(program: Program, closures: Closures, { anchored }: { readonly anchored: boolean }) {
    this.#program = program;
    this.#closures = closures;
    this.#anchored = anchored;
    this.#groupOf = byteGroups(program);
    this.#comesBack = anchored || program.classes.some(({ next }) => next === program.start);
    this.#entered = new Marks(program.threads + program.nodes.length);
  }

  start(): number {
    if (this.#start === unknown) this.#start = this.#stateOf([this.#program.threads + this.#program.start], noByte);
    return this.#start;
  }

  /** The state in which nothing was begun before, behind `byte`. */
  startAfter(byte: number): number {
    const previous = this.#standIn(byte);
    const known = this.#starts[previous]!;
    if (known !== unknown) return known;
    const state = this.#stateOf([this.#program.threads + this.#program.start], previous);
    this.#starts[previous] = state;
    return state;
  }

  /** Nothing can match any more from here. */
  isDead(state: number): boolean {
    return this.#contents[state >> 8]!.kernel.length === 0;
  }

  /** Only a match that begins here can be under way. Never said of a program that comes back to its beginning. */
  isFresh(state: number): boolean {
    return !this.#comesBack && this.#contents[state >> 8]!.kernel.length === 1;
  }

  /** What a state means, to find it again after the others were forgotten. */
  contentOf(state: number): StateContent {
    return this.#contents[state >> 8]!;
  }

  stateWith({ kernel, previous }: StateContent): number {
    return this.#stateOf(kernel, previous);
  }

  matchesAtEnd(state: number): boolean {
    const index = state >> 8;
    const known = this.#atEnd[index]!;
    if (known !== unknown) return known === 1;
    const { kernel, previous } = this.#contents[index]!;
    const held = possibleLooks(previous, noByte);
    const { threads } = this.#program;
    this.#closures.begin();
    const found = kernel.some((id) => id >= threads && this.#leadsToMatch(id - threads, held));
    this.#atEnd[index] = found ? 1 : 0;
    return found;
  }

  /**
   * The state after `byte`, now in the table for every byte of its group; `matched`; or `gaveUp`.
   *
   * @param bytesRead what was read and not yet told
   */
  after(state: number, byte: number, bytesRead: number): number {
    const known = this.entries[state + byte]!;
    return known === unknown ? this.#make(state, byte, bytesRead) : known;
  }

  #leadsToMatch(node: number, held: number): boolean {
    const reach = this.#closures.of(node, held);
    return reach.matched || (reach === manyWays && this.#closures.follow(node, held, () => undefined));
  }

  #make(state: number, byte: number, bytesRead: number): number {
    const next = this.#step(this.#contents[state >> 8]!, byte);
    if (this.#steps > threadStepsBetweenQuestions) {
      this.#steps = 0;
      this.meter();
    }
    const group = this.#groupOf[byte]!;
    if (next === undefined) {
      this.#enter(state, group, matched);
      return matched;
    }
    if (this.#contents.length >= maxStates || this.#kernelInts > maxKernelInts) {
      this.refills += 1;
      if (this.refills > freeRefills && this.bytesRead + bytesRead < leastBytesAState * this.#contents.length) return gaveUp;
      this.#forget();
      return this.#stateOf(next, this.#standIn(byte));
    }
    const target = this.#stateOf(next, this.#standIn(byte));
    this.#enter(state, group, target);
    return target;
  }

  #enter(state: number, group: number, target: number): void {
    for (let byte = 0; byte < 256; byte += 1) if (this.#groupOf[byte] === group) this.entries[state + byte] = target;
  }

  /** The threads and pending nodes after `byte`; undefined where a match ends before it. */
  #step({ kernel, previous }: StateContent, byte: number): number[] | undefined {
    const { threads, classes, classOf, start } = this.#program;
    const held = possibleLooks(previous, byte);
    const entered = this.#entered;
    entered.begin();
    this.#closures.begin();
    const out: number[] = [];
    const add = (id: number): void => {
      if (entered.take(id)) out.push(id);
    };
    const step = (thread: number): void => {
      this.#steps += 1;
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
      if (reach.matched || (reach === manyWays && this.#closures.follow(id - threads, held, step))) return undefined;
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

  #stateOf(ids: readonly number[] | Int32Array, previous: number): number {
    const kernel = Int32Array.from(ids).toSorted();
    let hash = previous;
    for (let index = 0; index < kernel.length; index += 1) hash = Math.imul(hash ^ kernel[index]!, 0x9e3779b1) ^ (hash >>> 15);
    const last = this.#lastOfHash.get(hash) ?? -1;
    for (let index = last; index !== -1; index = this.#contents[index]!.sameHash) {
      const content = this.#contents[index]!;
      if (content.previous === previous && sameInts(content.kernel, kernel)) return index << 8;
    }
    const index = this.#contents.length;
    this.#contents.push({ kernel, previous, sameHash: last });
    this.#lastOfHash.set(hash, index);
    this.#atEnd.push(unknown);
    this.#kernelInts += kernel.length + 16;
    if ((index + 1) * 256 > this.entries.length) {
      const grown = new Int32Array(this.entries.length * 2).fill(unknown, this.entries.length);
      grown.set(this.entries);
      this.entries = grown;
    }
    return index << 8;
  }

  #forget(): void {
    this.#lastOfHash.clear();
    this.#contents = [];
    this.#atEnd = [];
    this.#start = unknown;
    this.#starts.fill(unknown);
    this.#kernelInts = 0;
    this.bytesRead = 0;
    this.entries.fill(unknown);
  }
}

function sameInts(left: Int32Array, right: Int32Array): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index += 1) if (left[index] !== right[index]) return false;
  return true;
}
