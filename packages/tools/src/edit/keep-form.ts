import { byteOrderMark, hasByteOrderMark } from "./byte-order-mark.ts";

/**
 * New content for a whole file in the form the old one has: its byte order mark, and `\r\n` where every line break was
 * one and the new content has none. `kept` names what was added, for the summary.
 */
export function keepForm(content: string, before: { readonly bytes: Uint8Array; readonly text: string }): { readonly content: string; readonly kept: readonly string[] } {
  const kept: string[] = [];
  let result = content;
  if (!result.includes("\r") && result.includes("\n") && usesReturns(before.text)) {
    result = result.replaceAll("\n", "\r\n");
    kept.push("CRLF line endings kept");
  }
  if (hasByteOrderMark(before.bytes) && !result.startsWith(byteOrderMark) && result !== "") {
    result = byteOrderMark + result;
    kept.push("byte order mark kept");
  }
  return { content: result, kept };
}

function usesReturns(text: string): boolean {
  return text.includes("\r\n") && !/(?<!\r)\n/.test(text);
}
