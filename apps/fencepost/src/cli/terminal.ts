import type { Readable, Writable } from "node:stream";
import { ansiStyle, plainStyle, type Style } from "../view/style.ts";

/** Where a command reads and writes, and how it may look. The only way commands reach the process's streams. */
export interface Terminal {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Someone can be asked: standard input and standard error are a terminal. */
  readonly interactive: boolean;
  /** Someone sees standard output as it appears. */
  readonly watched: boolean;
  readonly out: View;
  readonly err: View;
  /** Aborted by the first SIGINT, SIGTERM or a broken pipe. */
  readonly interruption: AbortSignal;
}

/** How text on one stream may look. */
export interface View {
  readonly style: Style;
  /** Width in columns, as it is now: text is broken before it, so that no line begins where we did not begin it. */
  readonly columns: number;
}

const defaultColumns = 100;
const leastColumns = 40;

interface TerminalStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export function viewOf(stream: TerminalStream, env: NodeJS.ProcessEnv): View {
  return {
    style: wantsColour(stream, env) ? ansiStyle : plainStyle,
    // A window may be resized while a turn runs.
    get columns() {
      return Math.max(leastColumns, stream.columns ?? defaultColumns);
    },
  };
}

/** https://no-color.org, FORCE_COLOR as Node itself reads it, else colour on a terminal that is not dumb. */
function wantsColour(stream: TerminalStream, env: NodeJS.ProcessEnv): boolean {
  if (env["NO_COLOR"]) return false;
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return stream.isTTY === true && env["TERM"] !== "dumb";
}
