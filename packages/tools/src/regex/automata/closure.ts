import { Marks } from "./marks.ts";
import type { Program } from "./program.ts";

/** The threads that a node leads to without reading, where certain looks hold, and whether a match is among them. */
export interface Reach {
  readonly threads: Int32Array;
  readonly matched: boolean;
}

/** Stands for a node whose ways are many, or not remembered: they are to be followed by `follow`. */
export const manyWays: Reach = { threads: new Int32Array(0), matched: false };

/** Ints that remembered closures may take in all: beyond, ways are followed each time. */
const maxRememberedInts = 2_000_000;

/**
 * A node that leads over more nodes has many ways. To follow them for each of thousands of such nodes by itself would
 * take the square of the pattern for every byte.
 */
const fewNodes = 100;

/** Follows the ways that read nothing. Order does not matter to its users, only the set. */
export class Closures {
  readonly #program: Program;
  readonly #seen: Marks;
  readonly #gone: Marks;
  readonly #remembered = new Map<number, Map<number, Reach>>();
  #rememberedInts = 0;

  constructor(program: Program) {
    this.#program = program;
    this.#seen = new Marks(program.nodes.length);
    this.#gone = new Marks(program.nodes.length);
  }

  /** @param held the looks that hold at this place */
  of(node: number, held: number): Reach {
    const relevant = held & this.#program.looks;
    const byNode = this.#remembered.get(relevant) ?? new Map<number, Reach>();
    this.#remembered.set(relevant, byNode);
    const known = byNode.get(node);
    if (known) return known;
    if (this.#rememberedInts > maxRememberedInts) return manyWays;
    const reach = this.#reach(node, relevant);
    this.#rememberedInts += reach.threads.length + 8;
    byNode.set(node, reach);
    return reach;
  }

  /** Before the ways of several nodes are followed together. */
  begin(): void {
    this.#gone.begin();
  }

  /** Adds the threads that a node leads to, apart from ways followed since `begin`. True, and not all are added, where a match is among them. */
  follow(node: number, held: number, add: (thread: number) => void): boolean {
    const { nodes } = this.#program;
    const stack = [node];
    while (stack.length > 0) {
      const at = stack.pop()!;
      if (!this.#gone.take(at)) continue;
      const next = nodes[at]!;
      if (next.kind === "class") add(next.first);
      else if (next.kind === "match") return true;
      else if (next.kind === "split") for (const way of next.next) stack.push(way);
      else if ((next.look & held) !== 0) stack.push(next.next);
    }
    return false;
  }

  #reach(start: number, held: number): Reach {
    const { nodes } = this.#program;
    this.#seen.begin();
    const stack = [start];
    const threads: number[] = [];
    let matched = false;
    let count = 0;
    while (stack.length > 0) {
      const at = stack.pop()!;
      if (!this.#seen.take(at)) continue;
      count += 1;
      if (count > fewNodes) return manyWays;
      const node = nodes[at]!;
      if (node.kind === "class") threads.push(node.first);
      else if (node.kind === "match") matched = true;
      else if (node.kind === "split") {
        if (node.next.length > fewNodes) return manyWays;
        for (const next of node.next) stack.push(next);
      } else if ((node.look & held) !== 0) stack.push(node.next);
    }
    return { threads: Int32Array.from(threads), matched };
  }
}
