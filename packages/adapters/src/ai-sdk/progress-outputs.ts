import type { ProgressEvent, ToolResult } from "@fencepost/contract";

/** The most that one preliminary output shows, in characters: the end of what came. */
const maxShownCharacters = 4_000;

/** What a call shows while it runs. */
export interface RunningOutput {
  readonly status: "running";
  /** The end of what the call has said so far. */
  readonly text: string;
}

/** The outputs of one call as they come: what it says while it runs, whenever somebody looks, and its result at the end. */
export async function* progressOutputs(start: (onProgress: (event: ProgressEvent) => void) => Promise<ToolResult>): AsyncGenerator<RunningOutput, ToolResult, void> {
  let said = "";
  let wake: (() => void) | undefined;
  const running = start(({ text }) => {
    said = (said + text).slice(-maxShownCharacters);
    wake?.();
  });
  let shown = "";
  while (true) {
    const more = new Promise<"more">((resolve) => {
      wake = () => resolve("more");
    });
    if (said === shown) {
      const next = await Promise.race([running, more]);
      if (next !== "more") return next;
    }
    shown = said;
    yield { status: "running", text: shown };
  }
}
