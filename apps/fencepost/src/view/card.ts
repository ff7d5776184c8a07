import type { PermissionPath, PermissionRequest } from "@fencepost/core";
import type { View } from "../cli/terminal.ts";
import { visibleLine } from "./visible.ts";
import { wrapLine } from "./wrap.ts";

/**
 * A permission card: everything the decision depends on, in a frame. Each line of ours begins with the frame, and text of
 * the model, already harmless, is broken before the terminal would: nothing in it can look like the frame or the question.
 */
export function renderCard(request: PermissionRequest, view: View): readonly string[] {
  const { style } = view;
  const frame = style.yellow("│");
  const body = (text: string, colour = (piece: string): string => piece): readonly string[] =>
    text.split("\n").flatMap((line) => wrapLine(visibleLine(line), view.columns - 4).map((piece) => `${frame}   ${colour(piece)}`));
  const label = (text: string): string => `${frame} ${style.bold(text)}`;

  return [
    `${style.yellow("┌")} ${style.bold(style.yellow(`Permission needed: ${visibleLine(request.toolId)}`))} ${style.dim(`(mode ${request.mode})`)}`,
    ...request.kinds.map((kind) => `${frame} ${kindLines[kind]}`),
    ...(request.command === undefined ? [] : [label("command"), ...commandLines(request, view)]),
    ...(request.danger === undefined ? [] : [label("deletes or forces"), ...body(request.danger.text, style.red), `${frame}   ${style.dim(request.danger.key)}`]),
    ...(request.targets ?? []).flatMap((target, index) => [...(index === 0 ? [label("writes")] : []), ...body(oneLine(target))]),
    ...request.paths.flatMap((path, index) => [...(index === 0 ? [label("asks for")] : []), ...body(pathLine(path))]),
    ...(request.justification === undefined ? [] : [label("reason given by the model"), ...body(request.justification)]),
    ...(request.earlierRefusal === undefined ? [] : [label("refused before"), ...body(request.earlierRefusal, style.dim)]),
    label("this once covers"),
    ...body(request.covers),
  ];
}

/** The question below a card. */
export function renderQuestion({ style }: View): string {
  return `${style.yellow("└")} ${style.bold("Allow once?")} [y/N] `;
}

const kindLines = {
  escalation: "wants paths beyond the policy, for this one call",
  dangerous: "runs a command that deletes or forces",
  call: "asks before such calls, as this session was told to",
} as const;

/** The path last: whatever it is called, nothing of ours follows it. */
function pathLine({ path, access, scope, tier }: PermissionPath): string {
  return `${access}  ${scope}  ${tier}  ${oneLine(path)}`;
}

/** A path is one line, whatever it holds. */
function oneLine(path: string): string {
  return visibleLine(path);
}

/** Part of a text, on one line. */
interface Piece {
  readonly text: string;
  readonly dangerous: boolean;
}

/** The whole command, the dangerous part set off wherever it stands and however it is broken. */
function commandLines({ command = "", danger }: PermissionRequest, { style, columns }: View): readonly string[] {
  const bytes = Buffer.from(command);
  const { start, end } = danger?.span ?? { start: 0, end: 0 };
  const parts = [bytes.subarray(0, start), bytes.subarray(start, end), bytes.subarray(end)].map((part, index) => ({ text: part.toString(), dangerous: index === 1 }));
  const coloured = ({ text, dangerous }: Piece): string => (dangerous ? style.inverse(text) : style.cyan(text));
  return linesOf(parts)
    .flatMap((line) => wrapPieces(line, columns - 4))
    .map((line) => `${style.yellow("│")}   ${line.map(coloured).join("")}`);
}

/** The parts as visible text, line by line. */
function linesOf(parts: readonly Piece[]): readonly (readonly Piece[])[] {
  const lines: Piece[][] = [[]];
  for (const { text, dangerous } of parts) {
    for (const [index, line] of text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      lines.at(-1)?.push({ text: visibleLine(line), dangerous });
    }
  }
  return lines;
}

/** Breaks a line as `wrapLine` does, across its pieces. */
function wrapPieces(pieces: readonly Piece[], columns: number): readonly (readonly Piece[])[] {
  let start = 0;
  return wrapLine(pieces.map(({ text }) => text).join(""), columns).map((line) => {
    const end = start + line.length;
    let at = 0;
    const cut = pieces.flatMap(({ text, dangerous }) => {
      const from = at;
      at += text.length;
      const inside = text.slice(Math.max(0, start - from), Math.max(0, end - from));
      return inside === "" ? [] : [{ text: inside, dangerous }];
    });
    start = end;
    return cut;
  });
}
