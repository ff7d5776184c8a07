import { restrictToLine } from "./line-mode.ts";
import { Regex } from "./regex.ts";
import { defaultFlags, type Flags } from "./syntax/flags.ts";
import { parse } from "./syntax/parse.ts";

export interface RegexOptions extends Partial<Flags> {
  /** No match contains a line break, and the text's ends are those of each line. Spans are not asked for. */
  readonly withinLine?: boolean;
}

/**
 * Compiles a pattern in Rust's regex syntax.
 *
 * @throws PatternError with what is wrong, where, and what to write instead
 */
export function compileRegex(pattern: string, options: RegexOptions = {}): Regex {
  const { withinLine = false, ...flags } = options;
  const hir = parse(pattern, { ...defaultFlags, ...flags });
  return withinLine ? new Regex(restrictToLine(hir)) : new Regex(hir, { findsSpans: true });
}
