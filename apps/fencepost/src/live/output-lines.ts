/** The most of an unfinished line that is kept, in UTF-16 code units. */
const maxUnfinished = 4_000;

/** The output of a running command, line by line as it becomes whole. */
export interface OutputLines {
  /** Forgets the last call's. */
  start(): void;
  /** The lines to show now. */
  add(text: string): readonly string[];
  /** What a result's text has beyond the lines that were shown. */
  unseen(text: string): string;
}

/** @param limit how many lines are shown while a command runs; the rest comes with its result */
export function createOutputLines(limit: number): OutputLines {
  let shown: string[] = [];
  let unfinished = "";
  return {
    start() {
      shown = [];
      unfinished = "";
    },
    add(text) {
      const lines = (unfinished + text).split("\n");
      unfinished = (lines.pop() ?? "").slice(0, maxUnfinished);
      const next = lines.slice(0, limit - shown.length);
      shown.push(...next);
      return next;
    },
    unseen(text) {
      const lines = text.split("\n");
      const first = lines.findIndex((line, index) => line !== shown[index]);
      return lines.slice(first === -1 ? lines.length : first).join("\n");
    },
  };
}
