import { BitSimulation } from "./automata/bit-simulation.ts";
import { Closures } from "./automata/closure.ts";
import { LazyAutomaton } from "./automata/lazy-automaton.ts";
import { unmetered, type Meter } from "./automata/meter.ts";
import { compileProgram, type Program } from "./automata/program.ts";
import { Simulation } from "./automata/simulation.ts";
import { gaveUp } from "./automata/state-table.ts";
import { SpanSearch, type Span } from "./automata/span-search.ts";
import { shareBeginnings } from "./share-beginnings.ts";
import type { Hir } from "./hir.ts";
import { longestMatchBytes } from "./longest-match.ts";

export interface RegexKind {
  /** A match must begin where the text does. */
  readonly anchored?: boolean;
  /** `findSpan` will be asked. */
  readonly findsSpans?: boolean;
}

/**
 * A compiled pattern. Every method takes time linear in the text, whatever the pattern, and throws what its meter throws.
 * Not for two searches at once: it keeps its work tables.
 */
export class Regex {
  readonly hir: Hir;
  readonly #kind: { readonly anchored: boolean };
  readonly #program: Program;
  readonly #spanProgram: Program | undefined;
  readonly #closures: Closures;
  readonly #automaton: LazyAutomaton;
  #simulation: BitSimulation | Simulation | undefined;
  #spans: SpanSearch | undefined;
  #longestBytes: number | undefined;
  #simulates = false;

  constructor(hir: Hir, { anchored = false, findsSpans = false }: RegexKind = {}) {
    const shared = shareBeginnings(hir);
    this.hir = hir;
    this.#kind = { anchored };
    this.#program = compileProgram(shared);
    // At once: a pattern that is too large is refused before the first file, not beside the first match.
    if (findsSpans) this.#spanProgram = shared === hir ? this.#program : compileProgram(hir);
    this.#closures = new Closures(this.#program);
    this.#automaton = new LazyAutomaton(this.#program, this.#closures, this.#kind);
  }

  /**
   * Where the match that ends first ends, in the text that lies in `bytes` from `from` to `to`; -1 if there is none.
   * With Unicode word looks beside bytes beyond ASCII a match is only possible: see `confirm`.
   *
   * @param begin matches begin here or later
   */
  findEnd(bytes: Uint8Array, from: number, to: number, meter: Meter = unmetered, begin = from): number {
    if (!this.#simulates) {
      const end = this.#automaton.find(bytes, from, to, meter, begin);
      if (end !== gaveUp) return end;
      this.#simulates = true;
    }
    return this.#simulate(bytes, from, to, meter, begin);
  }

  /**
   * Where a match ends for certain, or -1: to be asked where `findEnd` says that one ends at `found`. The automaton is
   * only unsure beside bytes beyond ASCII, so what begins behind the last of them needs no closer look.
   */
  confirm(bytes: Uint8Array, from: number, to: number, found: number, meter: Meter = unmetered): number {
    if (!this.#program.unicodeLooks || this.#simulates) return found;
    const unsure = lastBeyondAscii(bytes, from, Math.min(found + 1, to));
    if (unsure === -1) return found;
    const begin = unsure + 2;
    const end = begin <= found ? this.#automaton.find(bytes, from, to, meter, begin) : -1;
    if (end >= 0 && lastBeyondAscii(bytes, begin, Math.min(end + 1, to)) === -1) return end;
    return this.#simulate(bytes, from, to, meter);
  }

  /** The leftmost match that begins at `begin` or later, with the end that Rust's rules prefer. For patterns of the kind `findsSpans`. */
  findSpan(bytes: Uint8Array, from: number, to: number, meter: Meter = unmetered, begin = from): Span | undefined {
    if (!this.#spanProgram) throw new Error("this pattern was compiled to find lines, not spans");
    const end = this.findEnd(bytes, from, to, meter, begin);
    if (end === -1) return undefined;
    this.#spans ??= new SpanSearch(this.#spanProgram);
    return this.#spans.find(bytes, from, to, this.#leastStart(bytes, from, end, meter, begin), meter);
  }

  /** A text was met on which no table pays: from then on each byte costs as much as the pattern is large. */
  get isCostly(): boolean {
    return this.#simulates;
  }

  /** Whether a text that begins so can still match. For anchored patterns. */
  canBegin(bytes: Uint8Array, from: number, to: number): boolean {
    return this.#automaton.canBegin(bytes, from, to);
  }

  /** No match that begins at `begin` or later begins before this, where none ends before `end`: so much is not searched for spans, which is slow. */
  #leastStart(bytes: Uint8Array, from: number, end: number, meter: Meter, begin: number): number {
    this.#longestBytes ??= longestMatchBytes(this.hir);
    const least = Math.max(begin, end - this.#longestBytes);
    return this.#simulates ? least : this.#automaton.lastFresh(bytes, from, end, meter, least);
  }

  #simulate(bytes: Uint8Array, from: number, to: number, meter: Meter, begin = from): number {
    this.#simulation ??= BitSimulation.of(this.#program, this.#closures, this.#kind) ?? new Simulation(this.#program, this.#closures, this.#kind);
    const end = this.#simulation.find(bytes, from, to, meter, begin);
    if (end !== gaveUp) return end;
    this.#simulation = new Simulation(this.#program, this.#closures, this.#kind);
    return this.#simulation.find(bytes, from, to, meter, begin);
  }
}

function lastBeyondAscii(bytes: Uint8Array, from: number, to: number): number {
  for (let at = to - 1; at >= from; at -= 1) if (bytes[at]! >= 0x80) return at;
  return -1;
}
