import { accepts } from "./class-automaton.ts";
import { manyWays, type Closures, type Reach } from "./closure.ts";
import { threadStepsBetweenQuestions, unmetered, type Meter } from "./meter.ts";
import { Marks } from "./marks.ts";
import { exactLooks } from "./place.ts";
import type { Program } from "./program.ts";

/**
 * Runs all threads of a program side by side: exact, and linear in the text for every pattern, at a cost per byte that
 * grows with the pattern. What is fallen back to where sets of threads would be large: see `BitSimulation`.
 */
export class Simulation {
  readonly #program: Program;
  readonly #anchored: boolean;
  readonly #closures: Closures;
  readonly #reaches: (Reach | undefined)[];
  /** All tables of the program's classes, and where in them a thread's row begins. */
  readonly #tables: Int16Array;
  readonly #rowOf: Int32Array;
  /** Where a thread's class begins, and what follows it. */
  readonly #firstOf: Int32Array;
  readonly #afterOf: Int32Array;
  /** Threads and nodes that are current, and threads that are ready. */
  readonly #taken: Marks;
  readonly #read: Marks;
  /** Threads, and nodes (counted from the number of threads on) whose ways are still to be followed. */
  #current: Int32Array;
  readonly #ready: Int32Array;
  #readyCount = 0;
  #steps = 0;

  constructor(program: Program, closures: Closures, { anchored }: { readonly anchored: boolean }) {
    const { threads, nodes, classes } = program;
    this.#anchored = anchored;
    this.#program = program;
    this.#closures = closures;
    this.#reaches = Array.from({ length: nodes.length }, () => undefined);
    this.#taken = new Marks(threads + nodes.length);
    this.#read = new Marks(threads);
    this.#current = new Int32Array(threads + nodes.length);
    this.#ready = new Int32Array(threads);
    this.#rowOf = new Int32Array(threads);
    this.#firstOf = new Int32Array(threads);
    this.#afterOf = new Int32Array(threads);
    const automata = [...new Set(classes.map(({ automaton }) => automaton))];
    this.#tables = new Int16Array(automata.reduce((sum, { next }) => sum + next.length, 0));
    const places = new Map<(typeof automata)[number], number>();
    let place = 0;
    for (const automaton of automata) {
      this.#tables.set(automaton.next, place);
      places.set(automaton, place);
      place += automaton.next.length;
    }
    for (const { automaton, first, next } of classes) {
      for (let state = 0; state < automaton.states; state += 1) this.#rowOf[first + state] = (places.get(automaton) ?? 0) + state * 256;
      this.#firstOf.fill(first, first, first + automaton.states);
      this.#afterOf.fill(threads + next, first, first + automaton.states);
    }
  }

  /**
   * Where the match that ends first ends, in the text from `from` to `to`; -1 if there is none.
   *
   * @param begin matches begin here or later
   */
  find(bytes: Uint8Array, from: number, to: number, meter: Meter = unmetered, begin = from): number {
    const { threads, start, looks } = this.#program;
    let count = 1;
    this.#steps = 0;
    this.#current[0] = threads + start;
    for (let at = begin; ; at += 1) {
      this.#taken.begin();
      this.#read.begin();
      const ready = this.#follow(count, looks === 0 ? 0 : exactLooks(bytes, from, to, at));
      if (ready === -1) return at;
      if (at >= to) return -1;
      count = this.#step(ready, bytes[at]!);
      if (!this.#anchored && this.#taken.take(threads + start)) {
        this.#current[count] = threads + start;
        count += 1;
      }
      if (count === 0) return -1;
      this.#steps += ready + count;
      if (this.#steps > threadStepsBetweenQuestions) {
        this.#steps = 0;
        meter();
      }
    }
  }

  /** Turns what is current into threads that are ready to read. Returns how many; -1 where a match is among the ways. */
  #follow(count: number, held: number): number {
    const { threads } = this.#program;
    const current = this.#current;
    const ready = this.#ready;
    const { rounds, round } = this.#read;
    let hasMany = false;
    let steps = 0;
    let size = 0;
    for (let index = 0; index < count; index += 1) {
      const id = current[index]!;
      if (id < threads) {
        if (rounds[id] === round) continue;
        rounds[id] = round;
        ready[size] = id;
        size += 1;
        continue;
      }
      const reach = this.#reach(id - threads, held);
      if (reach.matched) return -1;
      if (reach === manyWays) hasMany = true;
      const reached = reach.threads;
      steps += reached.length;
      for (let way = 0; way < reached.length; way += 1) {
        const thread = reached[way]!;
        if (rounds[thread] === round) continue;
        rounds[thread] = round;
        ready[size] = thread;
        size += 1;
      }
    }
    this.#steps += steps;
    return hasMany ? this.#followMany(count, held, size) : size;
  }

  /** The same for the current nodes with many ways: none is gone twice. */
  #followMany(count: number, held: number, size: number): number {
    const { threads } = this.#program;
    this.#readyCount = size;
    this.#closures.begin();
    for (let index = 0; index < count; index += 1) {
      const id = this.#current[index]!;
      if (id >= threads && this.#reach(id - threads, held) === manyWays && this.#closures.follow(id - threads, held, this.#addReady)) return -1;
    }
    return this.#readyCount;
  }

  readonly #addReady = (thread: number): void => {
    this.#steps += 1;
    if (!this.#read.take(thread)) return;
    this.#ready[this.#readyCount] = thread;
    this.#readyCount += 1;
  };

  /** Lets the ready threads read a byte: what comes of them is current. Returns how many. */
  #step(count: number, byte: number): number {
    const current = this.#current;
    const ready = this.#ready;
    const tables = this.#tables;
    const rowOf = this.#rowOf;
    const { rounds, round } = this.#taken;
    let size = 0;
    for (let index = 0; index < count; index += 1) {
      const thread = ready[index]!;
      const target = tables[rowOf[thread]! + byte]!;
      if (target === -1) continue;
      const id = target === accepts ? this.#afterOf[thread]! : this.#firstOf[thread]! + target;
      if (rounds[id] === round) continue;
      rounds[id] = round;
      current[size] = id;
      size += 1;
    }
    return size;
  }

  #reach(node: number, held: number): Reach {
    if (this.#program.looks !== 0) return this.#closures.of(node, held);
    return (this.#reaches[node] ??= this.#closures.of(node, 0));
  }
}
