import { byteOrderMark, hasByteOrderMark } from "./byte-order-mark.ts";

/**
 * New content for a whole file in the form the old one has: its byte order mark, and `\r\n` where every line break was
 * one and the new content has none. `kept` names what was added, for the summary.
 */
export function keepForm(content: string, before: Buffer): { readonly content: string; readonly kept: readonly string[] } {
  const kept: string[] = [];
  let result = content;
  if (!result.includes("\r") && result.includes("\n") && usesReturns(before)) {
    result = result.replaceAll("\n", "\r\n");
    kept.push("CRLF line endings kept");
  }
  if (hasByteOrderMark(before) && !result.startsWith(byteOrderMark) && result !== "") {
    result = byteOrderMark + result;
    kept.push("byte order mark kept");
  }
  return { content: result, kept };
}

/** Every line break is `\r\n`, and there is one. */
function usesReturns(bytes: Buffer): boolean {
  let found = false;
  for (let index = bytes.indexOf(10); index !== -1; index = bytes.indexOf(10, index + 1)) {
    if (bytes[index - 1] !== 13) return false;
    found = true;
  }
  return found;
}
