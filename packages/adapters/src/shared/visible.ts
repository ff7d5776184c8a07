/** Controls, format characters except two joiners, separators of lines, lone surrogates: they could forge or hide a part of a question. */
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/gu;

/** A stranger's text on one line: every unsafe character is written as an escape. */
function visibleLine(text: string): string {
  return text.replace(unsafe, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** A stranger's text as indented lines: plain in a terminal, and a code block where a client renders Markdown. */
export function indented(text: string): string {
  return text.split("\n").map((line) => `    ${visibleLine(line)}`).join("\n");
}
