import { failed, resultText, type ToolResult } from "@fencepost/contract";
import { fieldsOf } from "../shared/fields-of.ts";
import type { RunTool } from "./native-shape.ts";

/** A line as long as this was cut when it was read, so its text is not known. In characters. */
const cutLineCharacters = 2000;

/** The longest text around a place that is looked for, in characters. */
const maxAroundCharacters = 16_384;

/** How many pages of a file are read before it counts as too large. */
const maxPages = 64;

/**
 * Puts text behind a line, by an edit around it: as much of the neighbouring lines as makes the place unique, so that
 * the rest of the file keeps its bytes and its line breaks.
 */
export async function insertText(path: string, line: number, text: string, run: RunTool): Promise<ToolResult> {
  const found = await linesOf(path, run);
  if ("refused" in found) return found.refused;
  const { lines } = found;
  if (line > lines.length) return failed("execution_failed", `${path} has ${lines.length} lines, so nothing can be inserted after line ${line}. Use an insert_line from 0 to ${lines.length}.`);
  const inserted = text.endsWith("\n") ? text.slice(0, -1) : text;
  const { start, end, unique } = uniquePlace(lines, line);
  const around = lines.slice(start, end);
  const changed = [...lines.slice(start, line), inserted, ...lines.slice(line, end)];
  if (around.some((shown) => shown.length >= cutLineCharacters)) return failed("execution_failed", `The lines around line ${line} of ${path} are too long to insert between. Use str_replace on a part of one of them.`);
  // Not even the whole of it is unique: a few empty lines.
  if (!unique && around.length === lines.length) return run("write", { path, content: `${changed.join("\n")}\n` });
  if (!unique) return failed("execution_failed", `The lines around line ${line} of ${path} stand there more than once. Use str_replace with a text that stands there only once.`);
  return run("edit", { filePath: path, oldString: around.join("\n"), newString: changed.join("\n") });
}

/** Whole lines around a place whose text stands only once in the file. Twice as many each time: a file may be made of equal lines. */
function uniquePlace(lines: readonly string[], line: number): { readonly start: number; readonly end: number; readonly unique: boolean } {
  const whole = `${lines.join("\n")}\n`;
  for (let reach = 1; ; reach *= 2) {
    const [start, end] = [Math.max(0, line - reach), Math.min(lines.length, line + reach)];
    const part = lines.slice(start, end).join("\n");
    const unique = standsOnce(whole, part);
    if (unique || part.length > maxAroundCharacters || end - start === lines.length) return { start, end, unique };
  }
}

/** Searches forward only: backwards, a text of equal letters takes as many steps as both lengths multiplied. */
function standsOnce(whole: string, part: string): boolean {
  const first = part === "" ? -1 : whole.indexOf(part);
  return first !== -1 && !whole.includes(part, first + 1);
}

async function linesOf(path: string, run: RunTool): Promise<{ readonly lines: readonly string[] } | { readonly refused: ToolResult }> {
  const lines: string[] = [];
  for (let page = 0; page < maxPages; page++) {
    const read = await run("read", { path, offset: lines.length + 1 });
    if (read.status !== "succeeded") return { refused: read };
    const { firstLine, lastLine, totalLines } = fieldsOf(read.data);
    if (typeof firstLine !== "number" || typeof lastLine !== "number" || typeof totalLines !== "number") break;
    const shown = lastLine === 0 ? 0 : lastLine - firstLine + 1;
    lines.push(...resultText(read).split("\n").slice(0, shown).map(withoutNumber));
    if (lines.length >= totalLines) return { lines };
  }
  return { refused: failed("execution_failed", `${path} is too large to insert by line. Use str_replace.`) };
}

/** A read shows each line behind its number and a tab. */
function withoutNumber(shown: string): string {
  return shown.slice(shown.indexOf("\t") + 1);
}
