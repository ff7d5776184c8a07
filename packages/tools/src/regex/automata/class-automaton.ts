import { intersect, type Ranges } from "../unicode/ranges.ts";

/**
 * A set of code points as an automaton over the bytes of their UTF-8. State 0 begins; `next[state * 256 + byte]` is the
 * state after a byte, `accepts` or `fails`.
 */
export interface ClassAutomaton {
  readonly states: number;
  readonly next: Int16Array;
}

export const accepts = -2;
const fails = -1;

/** A set of single bytes is the automaton of one state. */
export function byteAutomaton(ranges: Ranges): ClassAutomaton {
  const next = new Int16Array(256).fill(fails);
  for (let index = 0; index < ranges.length; index += 2) next.fill(accepts, ranges[index], Math.min(255, ranges[index + 1]!) + 1);
  return { states: 1, next };
}

/** UTF-8 never holds these. */
const scalarValues: Ranges = [0, 0xd7ff, 0xe000, 0x10ffff];

export function utf8Automaton(set: Ranges): ClassAutomaton {
  const ranges = intersect(set, scalarValues);
  const rows: Int16Array[] = [];
  const known = new Map<string, number>();
  const addRow = (row: Int16Array): number => rows.push(row) - 1;

  /** The state that accepts `continuations` more bytes for the code points of `inside`, which count from 0. */
  const tail = (inside: readonly number[], continuations: number): number => {
    if (continuations === 0) return accepts;
    const key = `${continuations}:${inside.join(",")}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const row = new Int16Array(256).fill(fails);
    fillRow(row, inside, 6 * (continuations - 1), 0x80, (rest) => tail(rest, continuations - 1));
    const state = addRow(row);
    known.set(key, state);
    return state;
  };

  const start = new Int16Array(256).fill(fails);
  addRow(start);
  for (const form of utf8Forms) {
    const inside = intersect(ranges, [form.from, form.to]);
    fillRow(start, inside, 6 * form.continuations, form.lead, (rest) => tail(rest, form.continuations));
  }
  const next = new Int16Array(rows.length * 256);
  rows.forEach((row, state) => next.set(row, state * 256));
  return { states: rows.length, next };
}

const utf8Forms = [
  { from: 0, to: 0x7f, lead: 0, continuations: 0 },
  { from: 0x80, to: 0x7ff, lead: 0xc0, continuations: 1 },
  { from: 0x800, to: 0xffff, lead: 0xe0, continuations: 2 },
  { from: 0x10000, to: 0x10ffff, lead: 0xf0, continuations: 3 },
] as const;

/** Cuts `inside` into blocks of `2 ** shift` code points, one byte each, and asks for the state that judges the rest. */
function fillRow(row: Int16Array, inside: readonly number[], shift: number, lead: number, tail: (rest: readonly number[]) => number): void {
  const size = 2 ** shift;
  let block = -1;
  let rest: number[] = [];
  const flush = (): void => {
    if (block !== -1) row[lead + block] = tail(rest);
    rest = [];
  };
  for (let index = 0; index < inside.length; index += 2) {
    let lo = inside[index]!;
    const hi = inside[index + 1]!;
    while (lo <= hi) {
      const at = Math.floor(lo / size);
      if (at !== block) {
        flush();
        block = at;
      }
      const end = Math.min(hi, (at + 1) * size - 1);
      rest.push(lo - at * size, end - at * size);
      lo = end + 1;
    }
  }
  flush();
}
