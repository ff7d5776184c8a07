import { accepts } from "./class-automaton.ts";
import { Marks } from "./marks.ts";
import { threadStepsBetweenQuestions, unmetered, type Meter } from "./meter.ts";
import { exactLooks } from "./place.ts";
import type { Program } from "./program.ts";

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Threads in the order of preference, each with the place where its match began. */
class ThreadList {
  readonly ids: Int32Array;
  readonly starts: Float64Array;
  readonly #entered: Marks;
  count = 0;

  constructor(size: number) {
    this.ids = new Int32Array(size);
    this.starts = new Float64Array(size);
    this.#entered = new Marks(size);
  }

  clear(): void {
    this.count = 0;
    this.#entered.begin();
  }

  /** False where it is in already: then the one before is preferred. */
  add(id: number, start: number): boolean {
    if (!this.#entered.take(id)) return false;
    this.ids[this.count] = id;
    this.starts[this.count] = start;
    this.count += 1;
    return true;
  }

  /** Marks without listing. */
  visit(id: number): boolean {
    return this.#entered.take(id);
  }
}

/** Finds the leftmost match and the end that Rust's rules prefer. Slower than the automaton, which only says whether. */
export class SpanSearch {
  readonly #program: Program;
  readonly #ready: ThreadList;
  #current: ThreadList;
  #next: ThreadList;

  constructor(program: Program) {
    this.#program = program;
    const size = program.threads + program.nodes.length;
    this.#ready = new ThreadList(size);
    this.#current = new ThreadList(size);
    this.#next = new ThreadList(size);
  }

  /** Looks from `at` on, in the text that lies from `from` to `to`. */
  find(bytes: Uint8Array, from: number, to: number, at: number, meter: Meter = unmetered): Span | undefined {
    const { threads, start, looks } = this.#program;
    let found: Span | undefined;
    let steps = 0;
    this.#current.clear();
    for (let place = at; ; place += 1) {
      if (!found) this.#current.add(threads + start, place);
      if (this.#current.count === 0) return found;
      const held = looks === 0 ? 0 : exactLooks(bytes, from, to, place);
      const match = this.#open(held);
      if (match !== undefined) found = { start: match, end: place };
      if (place >= to) return found;
      this.#read(bytes[place]!);
      steps += this.#ready.count + 1;
      if (steps > threadStepsBetweenQuestions) {
        steps = 0;
        meter();
      }
    }
  }

  /** Fills `ready` from `current`, up to the first match, whose start it returns: what comes after is not preferred. */
  #open(held: number): number | undefined {
    const { threads, nodes } = this.#program;
    const { ids, starts, count } = this.#current;
    this.#ready.clear();
    for (let index = 0; index < count; index += 1) {
      const id = ids[index]!;
      const begun = starts[index]!;
      if (id < threads) {
        this.#ready.add(id, begun);
        continue;
      }
      const stack = [id - threads];
      while (stack.length > 0) {
        const at = stack.pop()!;
        const node = nodes[at]!;
        if (node.kind === "class") {
          this.#ready.add(node.first, begun);
          continue;
        }
        if (!this.#ready.visit(threads + at)) continue;
        if (node.kind === "match") return begun;
        if (node.kind === "split") for (let way = node.next.length - 1; way >= 0; way -= 1) stack.push(node.next[way]!);
        else if ((node.look & held) !== 0) stack.push(node.next);
      }
    }
    return undefined;
  }

  #read(byte: number): void {
    const { threads, classes, classOf } = this.#program;
    const { ids, starts, count } = this.#ready;
    this.#next.clear();
    for (let index = 0; index < count; index += 1) {
      const thread = ids[index]!;
      const node = classes[classOf[thread]!]!;
      const target = node.automaton.next[(thread - node.first) * 256 + byte]!;
      if (target !== -1) this.#next.add(target === accepts ? threads + node.next : node.first + target, starts[index]!);
    }
    const read = this.#current;
    this.#current = this.#next;
    this.#next = read;
  }
}
