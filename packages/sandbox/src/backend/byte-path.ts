import { Buffer } from "node:buffer";

/**
 * A path as the kernel sees it: one character a byte. File names need not be UTF-8, and a name that is decoded and
 * encoded again may name something else. Plain ASCII paths look the same in both forms.
 */
export type BytePath = string & { readonly "byte path"?: never };

// oxlint-disable-next-line no-control-regex -- the whole ASCII range is meant
const onlyAscii = /^[\x00-\x7f]*$/;

export function toBytes(text: string): BytePath {
  return onlyAscii.test(text) ? text : Buffer.from(text, "utf8").toString("latin1");
}

/** For reading by people and for the policy, which compares text. Bytes that are no UTF-8 become U+FFFD. */
export function toText(path: BytePath): string {
  return onlyAscii.test(path) ? path : Buffer.from(path, "latin1").toString("utf8");
}

/** For `node:fs`. */
export function forFs(path: BytePath): string | Buffer {
  return onlyAscii.test(path) ? path : Buffer.from(path, "latin1");
}

export function isUtf8(path: BytePath): boolean {
  return onlyAscii.test(path) || toBytes(toText(path)) === path;
}

/** A path for one line of a message: control characters, quotes and backslashes escaped where there are any. */
export function forDisplay(path: BytePath): string {
  const text = toText(path);
  return /[\p{C}\u2028\u2029\uFFFD]/u.test(text) ? JSON.stringify(text).replace(/[\p{C}\u2028\u2029]/gu, escapeCharacter) : text;
}

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
