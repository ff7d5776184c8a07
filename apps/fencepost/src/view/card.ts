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
    ...(request.command === undefined ? [] : [label("command"), ...commandLines(request, view, body)]),
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

/** The whole command, the dangerous part set off where it stands on one line. */
function commandLines(request: PermissionRequest, view: View, body: (text: string, colour?: (piece: string) => string) => readonly string[]): readonly string[] {
  const command = request.command ?? "";
  if (request.danger === undefined) return body(command, view.style.cyan);
  const bytes = Buffer.from(command);
  const { start, end } = request.danger.span;
  const before = bytes.subarray(0, start).toString();
  const hit = bytes.subarray(start, end).toString();
  const after = bytes.subarray(end).toString();
  const { style } = view;
  const fits = !command.includes("\n") && visibleLine(command).length <= view.columns - 4 && /^[ -~]*$/.test(command);
  if (!fits) return body(command, style.cyan);
  return [`${style.yellow("│")}   ${style.cyan(before)}${style.inverse(hit)}${style.cyan(after)}`];
}
