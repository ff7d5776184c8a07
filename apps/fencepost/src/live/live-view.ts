import type { Plan, SessionEvent, TurnOutcome } from "@fencepost/core";
import type { View } from "../cli/terminal.ts";
import { callLine, resultLines } from "../view/result.ts";
import { visibleLine } from "../view/visible.ts";
import { wrapLine } from "../view/wrap.ts";
import { createMargin } from "./margin.ts";
import { createOutputLines } from "./output-lines.ts";

/** What a session's events look like on a terminal, one after the other. */
export interface LiveView {
  /** The text to print for one event; empty where it shows nothing. */
  show(event: SessionEvent): string;
  /** Something else has begun a new line on the terminal: what was held of the last one is dropped. */
  interrupted(): void;
}

/** Its calls are shown as the plan they make. */
const planTool = "update_plan";

/** How many lines of a command's output are shown while it runs; all of it is in the result. */
const maxProgressLines = 20;

/**
 * Only ever appends: it works on a terminal, in a pipe and in a log alike. `progress`: show output while a command runs.
 * Cards are not shown here; who asks shows them.
 */
export function createLiveView(view: View, { progress }: { readonly progress: boolean }): LiveView {
  const { style } = view;
  const words = createMargin(view);
  const output = createOutputLines(maxProgressLines);

  return {
    interrupted: () => words.drop(),
    show(event) {
      switch (event.type) {
        case "text_delta":
          return words.add(event.text);
        case "tool_call_started":
          output.start();
          return event.toolId === planTool ? words.end() : `${words.end()}${callLine(event.toolId, event.input, "", view)}\n`;
        case "tool_call_progress":
          return progress ? lines(output.add(event.progress.text).flatMap(progressLines)) : "";
        case "tool_call_finished":
          return event.toolId === planTool && event.result.status === "succeeded" ? "" : lines(resultLines(event.result, view, (text) => output.unseen(text)));
        case "plan_updated":
          return `${words.end()}${lines(planLines(event.plan, view))}`;
        case "turn_finished":
          return `${words.end()}${lines(outcomeLines(event.outcome, view))}`;
        default:
          return "";
      }
    },
  };

  function progressLines(line: string): readonly string[] {
    return wrapLine(visibleLine(line), view.columns - 4).map((piece) => `  ${style.dim(piece)}`);
  }
}

function lines(all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join("");
}

const planMarks = { pending: "☐", in_progress: "▸", completed: "☑" } as const;

function planLines({ steps }: Plan, { style, columns }: View): readonly string[] {
  return [
    `${style.cyan("●")} ${style.bold("plan")}`,
    ...steps.flatMap(({ step, status }) => {
      const colour = { pending: (text: string): string => text, in_progress: style.bold, completed: style.dim }[status];
      return wrapLine(visibleLine(step), columns - 6).map((piece, index) => `  ${index === 0 ? planMarks[status] : " "} ${colour(piece)}`);
    }),
  ];
}

function outcomeLines(outcome: TurnOutcome, { style, columns }: View): readonly string[] {
  switch (outcome.status) {
    case "completed":
      return [];
    case "failed":
      if (outcome.code === "permission_denied") return [style.yellow("The turn ended, because a call was denied.")];
      // The message may be a stranger's: a server's, a file's.
      return wrapLine(visibleLine(`The turn failed (${outcome.code}): ${outcome.message}`), columns - 4).map((piece, index) => `${index === 0 ? "" : "  "}${style.red(piece)}`);
    default:
      return [style.yellow(`The turn was ${outcome.status}.`)];
  }
}
