import { findInText } from "./find-matches.ts";
import { foldWhiteSpace } from "./folded-white-space.ts";
import { foldText } from "./folded-bytes.ts";
import { findTrimmedLines } from "./match-lines.ts";
import { nearestText } from "./nearest-text.ts";
import { straightQuotes, unescaped, withOneTabLess, withOneTabMore, withoutEntities, withoutLineNumbers } from "./variants.ts";
import { describeWhiteSpace } from "./white-space.ts";

/**
 * Why `oldText` is not in a file, found in the file itself, and what to do: what follows "oldString was not found in
 * <file>: ".
 */
export function explainMiss(fileText: string, oldText: string): string {
  const text = foldText(fileText);
  for (const explain of explanations) {
    const found = explain(text, oldText);
    if (found !== undefined) return found;
  }
  return nearestText(text, oldText);
}

type Explanation = (text: string, oldText: string) => string | undefined;

const explanations: readonly Explanation[] = [
  (text, oldText) =>
    isThere(text, withoutLineNumbers(oldText)) ? "it carries read's line numbers. Leave out the number and the tab in front of each line." : undefined,
  (text, oldText) =>
    differs(oldText, withOneTabLess(oldText)) && isThere(text, withOneTabLess(oldText))
      ? "it is found with one tab fewer: the tab after the number is not part of the file. Leave out one tab at the start of each line."
      : undefined,
  (text, oldText) =>
    isThere(text, withOneTabMore(oldText)) ? "it is found with one tab more: the file is indented one tab deeper. Add a tab at the start of each line." : undefined,
  (text, oldText) =>
    differs(oldText, withoutEntities(oldText)) && isThere(text, withoutEntities(oldText))
      ? "it is found with the HTML entities (such as &amp;) as plain characters. Write the characters themselves."
      : undefined,
  (text, oldText) => at(text.normalize(), oldText.normalize(), (line) => `the same text in another Unicode form at line ${line}. Edit a part of the line without that character, or rewrite the file with write.`),
  (text, oldText) => at(straightQuotes(text), straightQuotes(oldText), (line) => `it is found at line ${line} with other quotation marks: curly against straight ones. Copy them as they are in the file.`),
  otherWhiteSpace,
  (text, oldText) =>
    differs(oldText, unescaped(oldText)) ? at(text, unescaped(oldText), (line) => `it is found at line ${line} once \\n, \\t and \\" are unescaped: it was escaped twice. Send real line breaks and quotes.`) : undefined,
  (text, oldText) => at(text.toLowerCase(), oldText.toLowerCase(), (line) => `it is found at line ${line} with other upper and lower case. Copy it as it is in the file.`),
];

function otherWhiteSpace(text: string, oldText: string): string | undefined {
  const lines = text.split("\n");
  const block = oldText.split("\n");
  if (oldText.trim() === "") return undefined;
  const [start] = findTrimmedLines(lines, block, 1);
  if (start !== undefined) {
    const index = block.findIndex((line, offset) => line !== lines[start + offset]);
    const line = start + index + 1;
    return `line ${line} has ${describeWhiteSpace(lines[line - 1] ?? "", block[index] ?? "")}. Copy the white space as it is in the file.`;
  }
  const folded = foldWhiteSpace(text);
  const [place] = findInText(folded.text, foldWhiteSpace(oldText).text, 1);
  if (place === undefined) return undefined;
  return `it is found at line ${lineOf(text, folded.range(place, place + 1).start)} with other white space: spaces, tabs or line breaks differ. Copy it as it is in the file.`;
}

function isThere(text: string, wanted: string | undefined): boolean {
  return wanted !== undefined && wanted !== "" && findInText(text, wanted, 1).length > 0;
}

function at(text: string, wanted: string, say: (line: number) => string): string | undefined {
  const [place] = findInText(text, wanted, 1);
  return place === undefined ? undefined : say(lineOf(text, place));
}

function differs(left: string, right: string): boolean {
  return left !== right;
}

function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let index = text.indexOf("\n"); index !== -1 && index < offset; index = text.indexOf("\n", index + 1)) line++;
  return line;
}
