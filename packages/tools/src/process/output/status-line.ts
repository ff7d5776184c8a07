/** How a command ended. */
export type CommandEnd =
  | { readonly kind: "exited"; readonly exitCode: number }
  | { readonly kind: "killed"; readonly signal: NodeJS.Signals }
  | { readonly kind: "timed_out"; readonly limitMs: number }
  | { readonly kind: "cancelled" };

/** `[exit 7; duration 12 ms]` and its siblings. */
export function statusLine(end: CommandEnd, durationMs: number): string {
  return `[${endText(end)}; duration ${Math.round(durationMs)} ms]`;
}

function endText(end: CommandEnd): string {
  switch (end.kind) {
    case "exited":
      return `exit ${end.exitCode}`;
    case "killed":
      return `killed by ${end.signal}`;
    case "timed_out":
      return `timed out after ${end.limitMs} ms`;
    default:
      return "cancelled";
  }
}
