import { unwrap } from "./command-wrappers.ts";
import { inlineScript } from "./inline-script.ts";
import { parseShell, type ShellFunction, type ShellWord, type SimpleCommand } from "./shell-grammar.ts";

/** How deep `bash -c 'bash -c …'` is followed. */
const maxInlineDepth = 8;

/** One command that a script may run, wrappers taken off, with where it stands in the whole script. */
export interface ReachedCommand {
  readonly words: readonly ShellWord[];
  readonly wrappers: readonly string[];
  readonly writes: readonly ShellWord[];
  /** UTF-16 offsets into the outermost script. */
  readonly start: number;
  readonly end: number;
}

export interface ReachedFunction extends Pick<ShellFunction, "name" | "selfCalls"> {
  readonly start: number;
  readonly end: number;
}

export interface CommandTree {
  readonly commands: readonly ReachedCommand[];
  readonly functions: readonly ReachedFunction[];
  /** The command whose inline scripts go deeper than `maxInlineDepth`. */
  readonly tooDeep: ReachedCommand | undefined;
}

/** Where a script stands in the outermost one: at an offset, letter by letter, or somewhere inside a span. */
type Place = { readonly kind: "at"; readonly offset: number } | { readonly kind: "within"; readonly start: number; readonly end: number };

interface Pending {
  readonly script: string;
  readonly place: Place;
  readonly depth: number;
}

/** Every command of a script and of the literal scripts it hands to shells. Undefined where it cannot be judged. */
export function commandTree(script: string): CommandTree | undefined {
  const commands: ReachedCommand[] = [];
  const functions: ReachedFunction[] = [];
  let tooDeep: ReachedCommand | undefined;
  const pending: Pending[] = [{ script, place: { kind: "at", offset: 0 }, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { place, depth } = next;
    const parsed = parseShell(next.script);
    if (parsed === undefined) {
      if (depth === 0) return undefined;
      continue;
    }
    functions.push(...parsed.functions.map((found) => ({ ...found, ...spanIn(place, found) })));
    for (const found of parsed.commands) {
      const { reached, script: inner } = reach(found, place);
      commands.push(reached);
      if (inner?.value === undefined) continue;
      if (depth === maxInlineDepth) tooDeep ??= reached;
      else pending.push({ script: inner.value, place: placeOf(inner, place, reached), depth: depth + 1 });
    }
  }
  return { commands: commands.toSorted((left, right) => left.start - right.start), functions, tooDeep };
}

function reach(found: SimpleCommand, place: Place): { readonly reached: ReachedCommand; readonly script: ShellWord | undefined } {
  const { words, script, wrappers } = unwrap(found.words);
  return { reached: { words, wrappers, writes: found.writes, ...spanIn(place, found) }, script: script ?? inlineScript(words) };
}

function spanIn(place: Place, found: { readonly start: number; readonly end: number }): { readonly start: number; readonly end: number } {
  return place.kind === "at" ? { start: place.offset + found.start, end: place.offset + found.end } : { start: place.start, end: place.end };
}

function placeOf(word: ShellWord, place: Place, command: ReachedCommand): Place {
  if (place.kind === "at" && word.literalStart !== undefined) return { kind: "at", offset: place.offset + word.literalStart };
  return { kind: "within", start: command.start, end: command.end };
}
