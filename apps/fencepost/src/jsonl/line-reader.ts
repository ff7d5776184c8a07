import type { Readable } from "node:stream";

/** The longest line that is read, in bytes: a 1 MiB file as JSON at its worst is 6 MiB. */
export const maxLineBytes = 16 * 1024 * 1024;

export type Line = { readonly text: string } | { readonly fault: string };

const newline = 10;

/**
 * The lines of a byte stream, the last one also without a line break. A line that is too long or not UTF-8 is a fault,
 * told once, and the next line is read as if nothing had been. Empty lines are no lines.
 */
export async function* readLines(input: Readable): AsyncGenerator<Line> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let tooLong = false;

  const finish = (): Line | undefined => {
    const line = tooLong ? { fault: `the line is longer than ${maxLineBytes} bytes` } : decode(Buffer.concat(held));
    held = [];
    heldBytes = 0;
    tooLong = false;
    return line;
  };
  const hold = (bytes: Buffer): void => {
    heldBytes += bytes.length;
    if (heldBytes > maxLineBytes) {
      tooLong = true;
      held = [];
    } else if (bytes.length > 0) held.push(bytes);
  };

  for await (const chunk of input as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      hold(chunk.subarray(start, end));
      start = end + 1;
      const line = finish();
      if (line !== undefined) yield line;
    }
    hold(chunk.subarray(start));
  }
  const last = finish();
  if (last !== undefined) yield last;
}

function decode(bytes: Buffer): Line | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes).trim();
    return text === "" ? undefined : { text };
  } catch {
    return { fault: "the line is not valid UTF-8" };
  }
}
