/** How a file's text is encoded, told by its first bytes. UTF-16 only with a byte order mark. */
export type TextEncoding = "utf-8" | "utf-16le" | "utf-16be";

export function encodingOf(start: Uint8Array): TextEncoding {
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le";
  if (start[0] === 0xfe && start[1] === 0xff) return "utf-16be";
  return "utf-8";
}
