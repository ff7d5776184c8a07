import { resultText, resultTextBytes, type ToolResult } from "@fencepost/contract";

/** The result with one more line at its end. Where there is no room left, text before its last line gives way. */
export function appendNote(result: ToolResult, note: string): ToolResult {
  const text = resultText(result);
  const over = Buffer.byteLength(text) + Buffer.byteLength(note) + 1 - resultTextBytes;
  if (over <= 0) return { ...result, content: [...result.content, { type: "text", text: note }] };
  const images = result.content.filter((part) => part.type === "image");
  const { body, lastLine } = splitLastLine(text);
  const kept = cutToBytes(body, Buffer.byteLength(body) - over - Buffer.byteLength(cutMark));
  return { ...result, content: [{ type: "text", text: kept + cutMark + lastLine }, { type: "text", text: note }, ...images] };
}

const cutMark = " […]\n";

/** A last line longer than this is content, not a footer, in bytes. */
const maxFooterBytes = 1024;

function splitLastLine(text: string): { readonly body: string; readonly lastLine: string } {
  const at = text.lastIndexOf("\n") + 1;
  const isFooter = at > 0 && Buffer.byteLength(text.slice(at)) <= maxFooterBytes;
  return isFooter ? { body: text.slice(0, at), lastLine: text.slice(at) } : { body: text, lastLine: "" };
}

/** The longest start of a text that has at most so many bytes and ends between characters. */
function cutToBytes(text: string, bytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(Math.max(0, bytes)));
  return text.slice(0, read);
}
