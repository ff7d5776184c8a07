import { failed, resultText, type ToolResult } from "@fencepost/contract";
import { fieldsOf } from "../shared/fields-of.ts";
import type { RunTool } from "./native-shape.ts";

/** A line as long as this was cut when it was read, so its text is not known. In characters. */
const cutLineCharacters = 2000;

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
  if (!unique) return run("write", { path, content: `${changed.join("\n")}\n` });
  return run("edit", { filePath: path, oldString: around.join("\n"), newString: changed.join("\n") });
}

/** The fewest whole lines around a place whose text stands only once in the file. */
function uniquePlace(lines: readonly string[], line: number): { readonly start: number; readonly end: number; readonly unique: boolean } {
  const whole = `${lines.join("\n")}\n`;
  const unique = (from: number, to: number): boolean => standsOnce(whole, lines.slice(from, to).join("\n"));
  let start = Math.max(0, line - 1);
  let end = Math.min(lines.length, line + 1);
  while ((start > 0 || end < lines.length) && !unique(start, end)) {
    start = Math.max(0, start - 1);
    end = Math.min(lines.length, end + 1);
  }
  return { start, end, unique: unique(start, end) };
}

function standsOnce(whole: string, part: string): boolean {
  return part !== "" && whole.indexOf(part) === whole.lastIndexOf(part);
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
