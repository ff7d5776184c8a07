import { Buffer } from "node:buffer";
import { visibleText } from "../view/visible.ts";

/** The output of one command as it comes, and then its result, without printing anything twice. */
export interface LiveOutput {
  show(text: string): void;
  finish(result: string): void;
}

/** A long result keeps at least this much of its start, in bytes: so much can be printed before the result is known. */
const sureStartBytes = 2000;

/**
 * `watched`: a person sees it, and sees all that comes. Otherwise a program may read it: what is printed in the end is
 * the text of the result, letter by letter, and only its start comes early.
 */
export function createLiveOutput(write: (text: string) => void, { watched }: { readonly watched: boolean }): LiveOutput {
  let shown = "";
  let full = false;
  const print = (text: string): void => write(visibleText(text));

  return {
    show(text) {
      full ||= !watched && Buffer.byteLength(shown + text) > sureStartBytes;
      if (full) return;
      shown += text;
      print(text);
    },
    finish(result) {
      if (result.startsWith(shown)) print(result.slice(shown.length));
      else print(`${shown.endsWith("\n") ? "" : "\n"}${watched ? ending(result) : result}`);
      if (!result.endsWith("\n")) print("\n");
    },
  };
}

/** What was left out, if anything, and how it ended: the output itself was seen. */
function ending(result: string): string {
  const lines = result.split("\n");
  const status = lines.findLastIndex((line) => /^\[.*; duration \d+ ms\]$/.test(line));
  if (status === -1) return result;
  const omitted = lines.slice(0, status).filter((line) => /^\.\.\. \(\d+ bytes omitted\..*\)$/.test(line));
  return [...omitted.slice(0, 1), ...lines.slice(status)].join("\n");
}
