import type { ToolDefinition } from "@fencepost/contract";
import { openSession } from "@fencepost/core";
import { exitCodes } from "../cli/exit-code.ts";
import type { Arguments } from "../cli/parse-arguments.ts";
import type { Terminal, View } from "../cli/terminal.ts";
import { parametersOf, type Parameter } from "../view/parameters.ts";
import { wrapLine } from "../view/wrap.ts";
import { sessionOptions } from "./session-options.ts";

/** `fencepost tools`: what a session in this workspace can call, as `call` and the line protocol take it. */
export async function tools(given: Arguments, { stdout, out }: Terminal): Promise<number> {
  const session = await openSession(sessionOptions(given, { approver: undefined, whyNot: "nothing is called here" }));
  try {
    stdout.write(given.json ? `${JSON.stringify(session.definitions)}\n` : `${session.definitions.map((tool) => toolLines(tool, out).join("\n")).join("\n\n")}\n`);
    return exitCodes.succeeded;
  } finally {
    await session.close();
  }
}

/** The widest column of names; a longer one stands on a line of its own. */
const maxFormWidth = 32;

function toolLines({ id, description, riskHint, inputSchema }: ToolDefinition, { style, columns }: View): readonly string[] {
  const parameters = parametersOf(inputSchema);
  const width = Math.min(maxFormWidth, Math.max(0, ...parameters.map(({ form }) => form.length)));
  const indent = " ".repeat(width + 4);
  const parameterLines = ({ form, text }: Parameter): readonly string[] => {
    const lines = text === "" ? [] : wrapLine(text, columns - indent.length).map((piece) => indent + piece.trimEnd());
    const name = `  ${style.cyan(form)}`;
    const [first = ""] = lines;
    return form.length > width || lines.length === 0 ? [name, ...lines] : [name + first.slice(2 + form.length), ...lines.slice(1)];
  };
  return [`${style.bold(id)} ${style.dim(`(${riskHint.replaceAll("_", " ")})`)}`, ...wrapLine(description, columns - 2).map((piece) => `  ${piece.trimEnd()}`), ...parameters.flatMap(parameterLines)];
}
