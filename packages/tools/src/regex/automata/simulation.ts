import { accepts } from "./class-automaton.ts";
import { Closures } from "./closure.ts";
import { threadStepsBetweenQuestions, unmetered, type Meter } from "./meter.ts";
import { exactLooks } from "./place.ts";
import type { Program } from "./program.ts";

/**
 * Runs all threads of a program side by side: exact, and linear in the text for every pattern, at a cost per byte that
 * grows with the pattern. What the lazy automaton falls back to.
 */
export class Simulation {
  readonly #program: Program;
  readonly #closures: Closures;
  readonly #entered: Uint32Array;
  #current: Int32Array;
  #next: Int32Array;
  #generation = 0;

  constructor(program: Program, closures = new Closures(program)) {
    this.#program = program;
    this.#closures = closures;
    this.#entered = new Uint32Array(program.threads + program.nodes.length);
    this.#current = new Int32Array(program.threads + program.nodes.length);
    this.#next = new Int32Array(program.threads + program.nodes.length);
  }

  /** Where the match that ends first ends, in the text from `from` to `to`; -1 if there is none. */
  find(bytes: Uint8Array, from: number, to: number, anchored: boolean, meter: Meter = unmetered): number {
    const { program, closures, entered } = this.#parts;
    const { threads, classOf, start } = program;
    let count = 1;
    let steps = 0;
    this.#current[0] = threads + start;
    for (let at = from; ; at += 1) {
      const held = program.looks === 0 ? 0 : exactLooks(bytes, from, to, at);
      const byte = at < to ? bytes[at]! : -1;
      const generation = this.#nextGeneration();
      const current = this.#current;
      const next = this.#next;
      let size = 0;
      const step = (thread: number): void => {
        const node = program.classes[classOf[thread]!]!;
        const target = node.automaton.next[(thread - node.first) * 256 + byte]!;
        if (target === -1) return;
        const id = target === accepts ? threads + node.next : node.first + target;
        if (entered[id] === generation) return;
        entered[id] = generation;
        next[size] = id;
        size += 1;
      };
      for (let index = 0; index < count; index += 1) {
        const id = current[index]!;
        if (id < threads) {
          if (byte !== -1) step(id);
          continue;
        }
        const reach = closures.of(id - threads, held);
        if (reach.matched) return at;
        steps += reach.threads.length;
        if (byte !== -1) for (const thread of reach.threads) step(thread);
      }
      if (at >= to) return -1;
      if (!anchored && entered[threads + start] !== generation) {
        next[size] = threads + start;
        size += 1;
      }
      if (size === 0) return -1;
      count = size;
      this.#current = next;
      this.#next = current;
      steps += size;
      if (steps > threadStepsBetweenQuestions) {
        steps = 0;
        meter();
      }
    }
  }

  get #parts(): { program: Program; closures: Closures; entered: Uint32Array } {
    return { program: this.#program, closures: this.#closures, entered: this.#entered };
  }

  #nextGeneration(): number {
    if (this.#generation === 0xffffffff) {
      this.#entered.fill(0);
      this.#generation = 0;
    }
    this.#generation += 1;
    return this.#generation;
  }
}
