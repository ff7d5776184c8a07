import { forEachChild, parse, type Command, type SyntaxNode, type Word, type WordPart } from "unbash";

/** One simple command of a script: a program and its arguments, wherever in the script it stands. */
export interface SimpleCommand {
  readonly words: readonly ShellWord[];
  /** Files it writes with `>` and its relatives. */
  readonly writes: readonly ShellWord[];
  /** UTF-16 offsets into the script, end exclusive. */
  readonly start: number;
  readonly end: number;
}

export interface ShellWord {
  /** The word after quoting, or undefined where only running it could tell. */
  readonly value: string | undefined;
  /** What it is known to start with: the whole value of a literal word. */
  readonly prefix: string;
  /** As written, quotes and all. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Where the value itself stands in the script, if it stands there letter by letter. */
  readonly literalStart: number | undefined;
}

export interface ParsedShell {
  readonly commands: readonly SimpleCommand[];
  /** Functions, with what they call: for spotting one that multiplies itself. */
  readonly functions: readonly ShellFunction[];
}

export interface ShellFunction {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** How often the body runs the function itself. */
  readonly selfCalls: number;
}

/** A longer script is not judged: nobody reads it either, and parsing must stay cheap. */
const maxJudgedBytes = 16_384;

/**
 * Everything a script could run, in source order, found with a real bash grammar: the one place that knows the parser.
 * Undefined where the script cannot be judged: too long, or not valid bash.
 */
export function parseShell(script: string): ParsedShell | undefined {
  if (Buffer.byteLength(script) > maxJudgedBytes) return undefined;
  const commands: SimpleCommand[] = [];
  const functions: FunctionDraft[] = [];
  let broken = false;
  visit(parse(script), (node) => {
    if (node.type === "Script" && node.errors !== undefined && node.errors.length > 0) broken = true;
    if (node.type === "Command") commands.push(simpleCommand(node));
    if (node.type === "Function") functions.push({ name: wordOf(node.name).value, start: node.pos, end: node.end });
  });
  if (broken) return undefined;
  return { commands, functions: functions.flatMap((draft) => withSelfCalls(draft, commands)) };
}

interface FunctionDraft {
  readonly name: string | undefined;
  readonly start: number;
  readonly end: number;
}

function withSelfCalls({ name, start, end }: FunctionDraft, commands: readonly SimpleCommand[]): readonly ShellFunction[] {
  if (name === undefined) return [];
  const inside = commands.filter((command) => command.start >= start && command.end <= end);
  return [{ name, start, end, selfCalls: inside.filter((command) => command.words[0]?.value === name).length }];
}

/** Source order, without recursion: a script may be nested deeper than our stack. */
function visit(root: SyntaxNode, see: (node: SyntaxNode) => void): void {
  const waiting: SyntaxNode[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    see(node);
    const children: SyntaxNode[] = [];
    forEachChild(node, (child) => children.push(child));
    waiting.push(...children.toReversed());
  }
}

function simpleCommand(node: Command): SimpleCommand {
  const words = [...(node.name ? [node.name] : []), ...node.args.flatMap((argument) => (argument.type === "Word" ? [argument] : [asWord(argument)]))];
  const writes = node.redirects.flatMap((redirect) =>
    redirect.type === "Redirect" && redirect.operator.includes(">") && redirect.target ? [wordOf(redirect.target)] : [],
  );
  return { words: words.map(wordOf), writes, start: node.pos, end: node.end };
}

/** `env A=1 rm`: an assignment after the program is a word like any other. */
function asWord(assignment: { readonly text: string; readonly pos: number; readonly end: number }): Word {
  return { type: "Word", text: assignment.text, value: assignment.text, pos: assignment.pos, end: assignment.end };
}

function wordOf(word: Word): ShellWord {
  const { text, complete } = literalText(word.parts ?? [], word);
  const quotes = word.text.length === word.value.length ? 0 : 1;
  const verbatim = complete && word.text.slice(quotes, word.text.length - quotes) === text;
  return {
    value: complete ? text : undefined,
    prefix: text,
    text: word.text,
    start: word.pos,
    end: word.end,
    literalStart: verbatim ? word.pos + quotes : undefined,
  };
}

/** The text up to the first part that only running it could tell. */
function literalText(parts: readonly WordPart[], word: Word): { readonly text: string; readonly complete: boolean } {
  if (parts.length === 0) return { text: word.value, complete: true };
  let text = "";
  for (const part of parts) {
    const literal = literalPart(part);
    if (literal === undefined) return { text, complete: false };
    text += literal;
  }
  return { text, complete: true };
}

function literalPart(part: WordPart): string | undefined {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return part.value;
    case "DoubleQuoted":
    case "LocaleString": {
      const children = part.parts.map((child) => (child.type === "Literal" ? child.value : undefined));
      return children.includes(undefined) ? undefined : children.join("");
    }
    default:
      return undefined;
  }
}
