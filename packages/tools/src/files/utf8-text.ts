import { isAscii } from "node:buffer";

/**
 * Below what an allocator asks the system for fresh memory, which costs ten times as much as the copying: contents are
 * kept for undo, and most are never looked at as one string.
 */
const partBytes = 64 * 1024;

/** The text of valid UTF-8. Most sources are plain ASCII, which needs no decoding. */
export function utf8Text(bytes: Buffer): string {
  if (!isAscii(bytes)) return bytes.toString("utf8");
  let text = "";
  for (let start = 0; start < bytes.length; start += partBytes) text += bytes.toString("latin1", start, Math.min(start + partBytes, bytes.length));
  return text;
}
