import { isFileChangeArtifact, resultText, type ToolResult } from "@fencepost/contract";
import type { View } from "../cli/terminal.ts";
import { renderChange } from "./diff.ts";
import { visibleLine, visibleText } from "./visible.ts";
import { textWidth, wrapLine } from "./wrap.ts";

/** The most lines of one result that are shown. */
const maxShownLines = 14;

/** How a call looks before it runs: the tool, its input in short, and a remark. Never longer than a line of the terminal. */
export function callLine(toolId: string, input: unknown, remark: string, { style, columns }: View): string {
  const name = shortened(visibleLine(toolId), columns - 2);
  const end = remark === "" ? "" : `  ${remark}`;
  const subject = shortened(visibleLine(subjectOf(input)), columns - 3 - textWidth(name) - textWidth(end));
  return `${style.cyan("●")} ${style.bold(name)}${subject === "" ? "" : ` ${subject}`}${end === "" ? "" : style.dim(end)}`;
}

/** The beginning of a text that fits, with an ellipsis where something is left out; nothing where there is no room. */
function shortened(text: string, columns: number): string {
  const [first = "", ...rest] = wrapLine(text, columns - 2);
  if (textWidth(first) > columns) return "";
  return rest.length === 0 ? first : `${first.trimEnd()}…`;
}

/** What a call is about: the first of these that it names. */
function subjectOf(input: unknown): string {
  const given = typeof input === "string" ? parsed(input) : input;
  if (typeof given !== "object" || given === null) return "";
  const fields: Readonly<Record<string, unknown>> = { ...given };
  const subjects = ["command", "filePath", "path", "pattern", "task_name"].map((name) => fields[name]);
  return subjects.find((value) => typeof value === "string") ?? "";
}

/** A model sends JSON text, and not always whole. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/**
 * A result as a person reads it: its text, indented and cut, and its changes as coloured diffs.
 *
 * @param unseen what of the text is still to be shown; default: all of it
 */
export function resultLines(result: ToolResult, view: View, unseen = (text: string): string => text): readonly string[] {
  const { style } = view;
  const refused = result.sandboxDenied || result.status === "denied";
  const colour = refused ? style.yellow : result.status === "succeeded" ? (text: string): string => text : style.red;
  const lines = withoutNoise(visibleText(unseen(resultText(result))))
    .split("\n")
    .flatMap((line) => wrapLine(line.replaceAll("\t", "  "), view.columns - 4));
  const changes = result.artifacts.filter(isFileChangeArtifact).flatMap((artifact) => renderChange(artifact.payload, view));
  return [...middleCut(lines).map((line) => `  ${colour(line)}`), ...changes.map((line) => `  ${line}`)];
}

/** Both ends matter: a command's first lines, and how it ended. */
function middleCut(lines: readonly string[]): readonly string[] {
  if (lines.length <= maxShownLines) return lines;
  const tail = 4;
  const head = maxShownLines - tail - 1;
  return [...lines.slice(0, head), `… ${lines.length - head - tail} more lines`, ...lines.slice(-tail)];
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
