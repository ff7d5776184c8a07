import { Buffer } from "node:buffer";

/** Deeper is no tool's input. */
const maxDepth = 32;

/** What one value costs besides its text: so that a list of a million nulls has a size too. */
const bytesPerValue = 8;

export type InputCopy =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: "size" | "depth" | "surrogate" | "kind"; readonly field: string };

/** A frozen copy of plain data, at most `maxBytes` large. Getters run once; prototypes and symbols are left behind. */
export function copyInput(given: unknown, maxBytes: number): InputCopy {
  let left = maxBytes;

  const take = (bytes: number, field: string): void => {
    left -= bytes;
    if (left < 0) throw new InputProblem("size", field);
  };

  const text = (value: string, field: string): string => {
    take(value.length, field);
    if (/\p{Surrogate}/u.test(value)) throw new InputProblem("surrogate", field);
    take(Buffer.byteLength(value) - value.length, field);
    return value;
  };

  const copy = (value: unknown, field: string, depth: number): unknown => {
    take(bytesPerValue, field);
    if (typeof value === "string") return text(value, field);
    if (value === null || typeof value === "boolean" || typeof value === "number") return value;
    if (typeof value !== "object") throw new InputProblem("kind", field);
    if (depth === 0) throw new InputProblem("depth", field);
    if (Array.isArray(value)) return Object.freeze(Array.from(lengthWithin(value, take, field), (item, index) => copy(item, `${field}[${index}]`, depth - 1)));
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
    return Object.freeze(Object.fromEntries(entries.map(([name, inner]) => [text(name, field), copy(inner, field === "" ? name : `${field}.${name}`, depth - 1)])));
  };

  try {
    return { ok: true, value: copy(given, "", maxDepth) };
  } catch (error) {
    if (error instanceof InputProblem) return { ok: false, problem: error.problem, field: shorten(error.field) };
    return { ok: false, problem: "kind", field: "arguments" };
  }
}

/** A list may claim any length, and have holes: looked at before it is walked. */
function lengthWithin(list: readonly unknown[], take: (bytes: number, field: string) => void, field: string): readonly unknown[] {
  take(list.length, field);
  return list;
}

class InputProblem extends Error {
  readonly problem: Exclude<InputCopy, { ok: true }>["problem"];
  readonly field: string;

  constructor(problem: Exclude<InputCopy, { ok: true }>["problem"], field: string) {
    super(problem);
    this.problem = problem;
    this.field = field;
  }
}

const maxFieldCharacters = 60;

function shorten(field: string): string {
  const shown = JSON.stringify(field === "" ? "arguments" : field).slice(1, -1);
  return shown.length > maxFieldCharacters ? `${shown.slice(0, maxFieldCharacters)}…` : shown;
}
