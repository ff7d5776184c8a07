/** U+FEFF at the very start of a file: a mark, not text. */
export const byteOrderMark = "\uFEFF";

const markBytes = Buffer.from(byteOrderMark);

export function hasByteOrderMark(bytes: Uint8Array): boolean {
  return bytes.length >= markBytes.length && markBytes.equals(bytes.subarray(0, markBytes.length));
}

/** How many bytes of a file its mark takes. */
export function markLength(bytes: Uint8Array): number {
  return hasByteOrderMark(bytes) ? markBytes.length : 0;
}

export function withoutMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}
