/**
 * What of a pattern is looked at as one: line breaks that have their `\r`, and brackets and other escapes, stay as they
 * are; a line break that is repeated, or one that is not, is what matters.
 */
const parts = /\\r[?*]?(?:\\n|\n)|\[\^?\]?(?:\\[^]|[^\]\\])*\]|((?:\\n|\n)(?=[*+?{]))|(\\n|\n)|\\[^]/gu;

/** A pattern of which each line break fits `\n` and `\r\n`. */
export function anyLineEnd(pattern: string): string {
  return pattern.replaceAll(parts, (part: string, repeated?: string, single?: string) => {
    if (repeated !== undefined) return String.raw`(?:\r?\n)`;
    return single === undefined ? part : String.raw`\r?\n`;
  });
}
