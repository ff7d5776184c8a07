// Text from a model, a file or a command may hold characters that move the cursor, recolour the screen or turn the
// order of letters round. Shown as they are, they could forge a card or hide what a command does.

/** Controls, format characters except the two joiners that scripts and emoji need, line and paragraph separators, lone surrogates. */
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/gu;

const shortEscapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\u001b": "\\e", "\0": "\\0" };

/** One line: every unsafe character, line breaks and tabs too, is written as an escape. */
export function visibleLine(text: string): string {
  return text.replace(unsafe, escapeCharacter);
}

/** Several lines: as `visibleLine`, but line breaks and tabs stay. */
export function visibleText(text: string): string {
  return text.replace(unsafe, (character) => (character === "\n" || character === "\t" ? character : escapeCharacter(character)));
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return shortEscapes[character] ?? (code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`);
}
