import { byteGroups } from "./byte-groups.ts";
import { accepts } from "./class-automaton.ts";
import type { Closures } from "./closure.ts";
import { unmetered, wordStepsBetweenQuestions, type Meter } from "./meter.ts";
import { exactLooks } from "./place.ts";
import type { Program } from "./program.ts";
import { gaveUp } from "./state-table.ts";

/** How many threads are looked up at once: as many as the tables have room for. */
const chunkSizes = [8, 4] as const;

/** What the tables of one program may take. */
const maxTableBytes = 4 * 1024 * 1024;

/** Sets of more words cost more than to go from thread to thread. */
const maxWords = 16;

/** With more, a table could take long to make. */
const maxNodes = 10_000;
const maxThreads = 100_000;

/** The first bit of a set says that a match ends. */
const matchBitNumber = 0;
const matchBit = 1 << matchBitNumber;

/** What comes where certain looks hold: of a beginning, of each class that is read to its end, and by group of bytes of what is current. */
interface Following {
  readonly held: number;
  readonly beginning: Int32Array;
  readonly afterClass: (Int32Array | undefined)[];
  readonly tables: (Int32Array | undefined)[];
}

/**
 * Runs all threads side by side, as bits of a few words: exact, and linear in the text for every pattern, at one look-up
 * a byte for every few threads. What the lazy automaton falls back to while the threads that a text needs are few. Bit
 * parallelism, as in Navarro and Raffinot, Flexible Pattern Matching in Strings, chapter 5.
 */
export class BitSimulation {
  readonly #program: Program;
  readonly #anchored: boolean;
  readonly #closures: Closures;
  /** Words of a set of threads, and how many of them were needed so far. */
  readonly #words: number;
  #wordsUsed = 1;
  /** Thread → its bit in a set; those beyond a set's words are not there. */
  readonly #bitOf: Int32Array;
  readonly #chunkSize: number;
  readonly #groupOf: Uint8Array;
  readonly #followings = new Map<number, Following>();
  #tableBytes = 0;
  #outgrown = false;
  #current: Int32Array;
  #next: Int32Array;

  /** Undefined where the threads of a program are too many even for texts of ASCII. */
  static of(program: Program, closures: Closures, { anchored }: { readonly anchored: boolean }): BitSimulation | undefined {
    const { nodes, threads, classes } = program;
    if (nodes.length > maxNodes || threads > maxThreads || classes.length >= 32 * maxWords) return undefined;
    const words = Math.min(maxWords, Math.floor(threads / 32) + 1);
    const groupOf = byteGroups(program);
    const tables = (groupOf[255]! + 1) * lookSets(program);
    const chunkSize = chunkSizes.find((size) => tables * tableInts(words, size) * Int32Array.BYTES_PER_ELEMENT <= maxTableBytes) ?? chunkSizes[1];
    return new BitSimulation(program, closures, { anchored, words, chunkSize, groupOf });
  }

  private constructor(program: Program, closures: Closures, { anchored, words, chunkSize, groupOf }: { readonly anchored: boolean; readonly words: number; readonly chunkSize: number; readonly groupOf: Uint8Array }) {
    this.#program = program;
    this.#anchored = anchored;
    this.#closures = closures;
    this.#words = words;
    this.#bitOf = bitNumbers(program);
    this.#chunkSize = chunkSize;
    this.#groupOf = groupOf;
    this.#current = new Int32Array(words);
    this.#next = new Int32Array(words);
  }

  /**
   * Where the match that ends first ends, in the text from `from` to `to`; -1 if there is none; `gaveUp` where the text
   * needs more threads or tables than there may be.
   *
   * @param begin matches begin here or later
   */
  find(bytes: Uint8Array, from: number, to: number, meter: Meter = unmetered, begin = from): number {
    const { looks } = this.#program;
    const groupOf = this.#groupOf;
    const bytesBetween = Math.ceil(wordStepsBetweenQuestions / this.#words ** 2);
    let askAt = begin + bytesBetween;
    let following = this.#following(looks === 0 ? 0 : exactLooks(bytes, from, to, begin));
    if (this.#outgrown) return gaveUp;
    this.#current.set(following.beginning);
    for (let at = begin; ; at += 1) {
      if ((this.#current[0]! & matchBit) !== 0) return at;
      if (at >= to) return -1;
      if (at >= askAt) {
        askAt = at + bytesBetween;
        meter();
      }
      const byte = bytes[at]!;
      if (looks !== 0) following = this.#following(exactLooks(bytes, from, to, at + 1));
      let table = following.tables[groupOf[byte]!];
      if (!table) {
        meter();
        table = this.#addTable(following, byte);
        if (this.#outgrown) return gaveUp;
      }
      const any = this.#step(table);
      if (!this.#anchored) add(this.#current, 0, following.beginning);
      else if (any === 0) return -1;
    }
  }

  /** Lets the current threads read a byte. What comes of them is current then; 0 where nothing does. */
  #step(table: Int32Array): number {
    const current = this.#current;
    const next = this.#next;
    const words = this.#words;
    const used = this.#wordsUsed;
    const size = this.#chunkSize;
    const values = 1 << size;
    const chunkInts = values * words;
    let any = 0;
    next.fill(0);
    for (let word = 0; word < used; word += 1) {
      let entries = word * (32 / size) * chunkInts;
      for (let bits = current[word]!; bits !== 0; bits >>>= size, entries += chunkInts) {
        const value = bits & (values - 1);
        if (value === 0) continue;
        const entry = entries + value * words;
        for (let index = 0; index < used; index += 1) {
          const comes = table[entry + index]!;
          next[index]! |= comes;
          any |= comes;
        }
      }
    }
    this.#current = next;
    this.#next = current;
    return any;
  }

  #following(holding: number): Following {
    const held = holding & this.#program.looks;
    const known = this.#followings.get(held);
    if (known) return known;
    const following: Following = { held, beginning: this.#ways(this.#program.start, held), afterClass: [], tables: [] };
    this.#followings.set(held, following);
    return following;
  }

  /** For every chunk of threads, and whichever of them are current, what comes of them when `byte` is read. */
  #addTable(following: Following, byte: number): Int32Array {
    const { threads, classes, classOf } = this.#program;
    const words = this.#words;
    const size = this.#chunkSize;
    const values = 1 << size;
    const table = new Int32Array(tableInts(words, size));
    this.#tableBytes += table.byteLength;
    if (this.#tableBytes > maxTableBytes) this.#outgrown = true;
    for (let thread = 0; thread < threads && !this.#outgrown; thread += 1) {
      const number = this.#bitOf[thread]!;
      if (number >= 32 * words) continue;
      const place = classOf[thread]!;
      const { automaton, first, next } = classes[place]!;
      const target = automaton.next[(thread - first) * 256 + byte]!;
      if (target === -1) continue;
      const comes = target === accepts ? (following.afterClass[place] ??= this.#ways(next, following.held)) : this.#set([this.#bitOf[first + target]!]);
      const bit = 1 << (number % size);
      const entries = Math.floor(number / size) * values * words;
      for (let value = bit; value < values; value += 1) if ((value & bit) !== 0) add(table, entries + value * words, comes);
    }
    following.tables[this.#groupOf[byte]!] = table;
    return table;
  }

  /** What a node leads to without reading. */
  #ways(node: number, held: number): Int32Array {
    const bits: number[] = [];
    this.#closures.begin();
    const matched = this.#closures.follow(node, held, (thread) => bits.push(this.#bitOf[thread]!));
    return this.#set(matched ? [matchBitNumber] : bits);
  }

  #set(bits: readonly number[]): Int32Array {
    const set = new Int32Array(this.#words);
    for (const bit of bits) {
      const word = bit >>> 5;
      if (word >= set.length) this.#outgrown = true;
      else this.#wordsUsed = Math.max(this.#wordsUsed, word + 1);
      set[word]! |= 1 << (bit & 31);
    }
    return set;
  }
}

/** Places inside of a character come last: in a text of ASCII none of them is ever taken, and few words are used. */
function bitNumbers({ threads, classes }: Program): Int32Array {
  const bitOf = new Int32Array(threads);
  let number = matchBitNumber;
  for (const { first } of classes) bitOf[first] = number += 1;
  for (let thread = 0; thread < threads; thread += 1) bitOf[thread] ||= number += 1;
  return bitOf;
}

/** A set for each value of each chunk. */
function tableInts(words: number, chunkSize: number): number {
  return words * (32 / chunkSize) * 2 ** chunkSize * words;
}

/** How many sets of looks may hold somewhere. */
function lookSets({ looks }: Program): number {
  return 2 ** looks.toString(2).replaceAll("0", "").length;
}

function add(to: Int32Array, at: number, set: Int32Array): void {
  for (let index = 0; index < set.length; index += 1) to[at + index]! |= set[index]!;
}
