import { isFileChangeArtifact, resultText, type ToolResult } from "@fencepost/contract";
import type { View } from "../cli/terminal.ts";
import { renderChange } from "../view/diff.ts";
import { visibleLine, visibleText } from "../view/visible.ts";
import { wrapLine } from "../view/wrap.ts";

/** The most lines of one result that are shown. */
const maxShownLines = 14;

/** How a call looks before it runs: the tool, and its input in short. */
export function callLine(toolId: string, input: Readonly<Record<string, unknown>>, why: string, { style }: View): string {
  const { command, path, filePath, pattern } = input;
  const subject = [command, filePath, path, pattern].find((value) => typeof value === "string");
  return `${style.cyan("●")} ${style.bold(toolId)} ${visibleLine(subject ?? "")}  ${style.dim(why)}`;
}

/** A result as a person reads it: its text, indented and cut, and its changes as coloured diffs. */
export function resultLines(result: ToolResult, view: View): readonly string[] {
  const { style } = view;
  const refused = result.sandboxDenied || result.status === "denied";
  const colour = refused ? style.yellow : result.status === "succeeded" ? (text: string): string => text : style.red;
  const lines = withoutNoise(visibleText(resultText(result)))
    .split("\n")
    .flatMap((line) => wrapLine(line.replaceAll("\t", "  "), view.columns - 4));
  const shown = lines.length > maxShownLines ? [...lines.slice(0, maxShownLines - 1), `… ${lines.length - maxShownLines + 1} more lines`] : lines;
  const changes = result.artifacts.filter(isFileChangeArtifact).flatMap((artifact) => renderChange(artifact.payload, view));
  return [...shown.map((line) => `  ${colour(line)}`), ...changes.map((line) => `  ${line}`)];
}

/** A test report is mostly timings: a person wants the names and the counts. */
function withoutNoise(text: string): string {
  if (!text.startsWith("TAP version")) return text;
  const wanted = /^(not ok|ok|# (tests|pass|fail)|\[)/;
  return text
    .split("\n")
    .filter((line) => wanted.test(line))
    .join("\n");
}
