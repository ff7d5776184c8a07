import type { Program } from "./program.ts";

/** The threads that a node leads to without reading, where certain looks hold, and whether a match is among them. */
export interface Reach {
  readonly threads: Int32Array;
  readonly matched: boolean;
}

/** Ints that remembered closures may take in all: beyond, they are computed again each time. */
const maxRememberedInts = 2_000_000;

/** Follows the ways that read nothing. Order does not matter to its users, only the set. */
export class Closures {
  readonly #program: Program;
  readonly #seen: Uint32Array;
  readonly #remembered = new Map<number, Map<number, Reach>>();
  #generation = 0;
  #rememberedInts = 0;

  constructor(program: Program) {
    this.#program = program;
    this.#seen = new Uint32Array(program.nodes.length);
  }

  /** @param held the looks that hold at this place */
  of(node: number, held: number): Reach {
    const relevant = held & this.#program.looks;
    const byNode = this.#remembered.get(relevant) ?? new Map<number, Reach>();
    this.#remembered.set(relevant, byNode);
    const known = byNode.get(node);
    if (known) return known;
    const reach = this.#follow(node, relevant);
    if (this.#rememberedInts + reach.threads.length <= maxRememberedInts) {
      this.#rememberedInts += reach.threads.length + 8;
      byNode.set(node, reach);
    }
    return reach;
  }

  #follow(start: number, held: number): Reach {
    const { nodes } = this.#program;
    const seen = this.#seen;
    this.#generation += 1;
    const stack = [start];
    const threads: number[] = [];
    let matched = false;
    while (stack.length > 0) {
      const at = stack.pop()!;
      if (seen[at] === this.#generation) continue;
      seen[at] = this.#generation;
      const node = nodes[at]!;
      if (node.kind === "class") threads.push(node.first);
      else if (node.kind === "match") matched = true;
      else if (node.kind === "split") for (const next of node.next) stack.push(next);
      else if ((node.look & held) !== 0) stack.push(node.next);
    }
    return { threads: Int32Array.from(threads), matched };
  }
}
