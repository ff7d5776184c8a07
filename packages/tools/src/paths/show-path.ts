import { relative } from "node:path/posix";
import { isUnder } from "@fencepost/sandbox";

/**
 * A path for texts: relative inside `workingDirectory`, absolute elsewhere. A name may hold anything, so characters
 * that could break a line or hide another are written as escapes: no file name can forge a line of a result.
 */
export function showPath(absolute: string, workingDirectory: string): string {
  const inside = isUnder(absolute, workingDirectory);
  return escapeName(inside ? relative(workingDirectory, absolute) || "." : absolute);
}

const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Control and format characters (line breaks, escapes, direction marks) as escapes; everything else as it is. */
export function escapeName(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => named[character] ?? unicodeEscape(character));
}

/** Also whatever is not ASCII: so that two spellings that look alike can be told apart. */
export function escapeNonAscii(name: string): string {
  return JSON.stringify(name).replaceAll(/[^\x20-\x7e]/g, unicodeEscape);
}

function unicodeEscape(character: string): string {
  return Array.from({ length: character.length }, (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, "0")}`).join("");
}
