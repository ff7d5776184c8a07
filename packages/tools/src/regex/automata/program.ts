import { unicodeLooks, type Hir } from "../hir.ts";
import { PatternError } from "../pattern-error.ts";
import type { Ranges } from "../unicode/ranges.ts";
import { byteAutomaton, utf8Automaton, type ClassAutomaton } from "./class-automaton.ts";

/** A node of the automaton: reads one class, goes several ways, asks about the place, or has matched. */
export type Node =
  | ClassNode
  /** In the order of preference. */
  | { readonly kind: "split"; next: number[] }
  | { readonly kind: "look"; readonly look: number; next: number }
  | { readonly kind: "match" };

export interface ClassNode {
  readonly kind: "class";
  readonly automaton: ClassAutomaton;
  /** Its first thread. */
  readonly first: number;
  next: number;
}

/**
 * A pattern as a non-deterministic automaton over bytes. A class takes several bytes, so a place in the automaton is a
 * *thread*: a class node and the state inside its class. Threads are numbered: `first` of their node plus that state.
 */
export interface Program {
  readonly nodes: readonly Node[];
  readonly start: number;
  readonly threads: number;
  readonly classes: readonly ClassNode[];
  /** Thread → its class, as a place in `classes`. */
  readonly classOf: Int32Array;
  /** Every look that occurs, as bits. */
  readonly looks: number;
  /** Whether some look depends on characters beyond ASCII. */
  readonly unicodeLooks: boolean;
}

/** Beyond these a pattern is refused, as Rust's size limit does: one class of Unicode letters is about 200 threads. */
const maxNodes = 250_000;
const maxThreads = 1_500_000;

/** What the tables of a program's classes take together: one of Unicode letters takes about 100 KB. */
const maxAutomataBytes = 16 * 1024 * 1024;

export function compileProgram(hir: Hir): Program {
  const nodes: Node[] = [];
  const automata = new Map<Ranges, ClassAutomaton>();
  const counted = new Set<ClassAutomaton>();
  let threads = 0;
  let automataBytes = 0;
  let seen = 0;

  const add = (node: Node): number => {
    if (nodes.length >= maxNodes || threads > maxThreads || automataBytes > maxAutomataBytes) {
      throw new PatternError("the pattern is too large once its repetitions are written out; lower the counts or search for a part of it");
    }
    return nodes.push(node) - 1;
  };

  const addClass = (kind: "class" | "bytes", ranges: Ranges, next: number): number => {
    const automaton = automata.get(ranges) ?? classAutomaton(kind, ranges);
    automata.set(ranges, automaton);
    if (!counted.has(automaton)) automataBytes += automaton.next.byteLength;
    counted.add(automaton);
    const first = threads;
    threads += automaton.states;
    return add({ kind: "class", automaton, first, next });
  };

  /** Adds what matches `part` and then goes on at `next`; returns where it begins. Built from the back. */
  const build = (part: Hir, next: number): number => {
    switch (part.kind) {
      case "empty":
        return next;
      case "class":
      case "bytes":
        return addClass(part.kind, part.ranges, next);
      case "look":
        seen |= part.look;
        return add({ kind: "look", look: part.look, next });
      case "concat":
        return part.parts.reduceRight((after, child) => build(child, after), next);
      case "alternate":
        return add({ kind: "split", next: part.parts.map((child) => build(child, next)) });
      default:
        return buildRepeat(part, next);
    }
  };

  const buildRepeat = ({ part, min, max, greedy }: Extract<Hir, { kind: "repeat" }>, next: number): number => {
    const preferring = (body: number, skip: number): number[] => (greedy ? [body, skip] : [skip, body]);
    let at = next;
    if (max === Infinity) {
      const loop = { kind: "split", next: [] as number[] } as const;
      const loopAt = add(loop);
      const body = build(part, loopAt);
      loop.next.push(...preferring(body, next));
      // `x*` of an x that matches nothing prefers that empty match, as Rust's crate does: it is (x+)?.
      const optional = (): number => (matchesEmpty(part) ? add({ kind: "split", next: preferring(body, next) }) : loopAt);
      at = min === 0 ? optional() : body;
    } else {
      for (let count = min; count < max; count += 1) at = add({ kind: "split", next: preferring(build(part, at), next) });
    }
    const before = max === Infinity ? min - 1 : min;
    for (let count = 0; count < before; count += 1) at = build(part, at);
    return at;
  };

  const match = add({ kind: "match" });
  const start = build(hir, match);
  const classes = nodes.filter((node) => node.kind === "class");
  const classOf = new Int32Array(threads);
  classes.forEach(({ first, automaton }, index) => classOf.fill(index, first, first + automaton.states));
  return { nodes, start, threads, classes, classOf, looks: seen, unicodeLooks: (seen & unicodeLooks) !== 0 };
}

/** Automata of classes seen before: `\\w` is in every second pattern. */
const rememberedAutomata = new Map<string, ClassAutomaton>();
const maxRememberedBytes = 8 * 1024 * 1024;
let rememberedBytes = 0;

function classAutomaton(kind: "class" | "bytes", ranges: Ranges): ClassAutomaton {
  const key = `${kind}${ranges.join(",")}`;
  const known = rememberedAutomata.get(key);
  if (known) return known;
  const oneByte = kind === "bytes" || (ranges.at(-1) ?? 0) < 0x80;
  const automaton = oneByte ? byteAutomaton(ranges) : utf8Automaton(ranges);
  const bytes = key.length + automaton.next.byteLength;
  if (rememberedBytes + bytes > maxRememberedBytes) {
    rememberedAutomata.clear();
    rememberedBytes = 0;
  }
  if (bytes <= maxRememberedBytes) {
    rememberedAutomata.set(key, automaton);
    rememberedBytes += bytes;
  }
  return automaton;
}

function matchesEmpty(hir: Hir): boolean {
  switch (hir.kind) {
    case "class":
    case "bytes":
      return false;
    case "concat":
      return hir.parts.every(matchesEmpty);
    case "alternate":
      return hir.parts.some(matchesEmpty);
    case "repeat":
      return hir.min === 0 || matchesEmpty(hir.part);
    default:
      return true;
  }
}
