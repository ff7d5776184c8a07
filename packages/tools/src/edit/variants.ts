/** Ways in which a model's copy of a text differs from the text. Each is tried on purpose, never silently. */

/** Lines that all start with read's number and tab, without them; undefined where they do not. */
export function withoutLineNumbers(text: string): string | undefined {
  const lines = text.split("\n");
  const numbered = lines.every((line, index) => /^ *\d+\t/.test(line) || (line === "" && index > 0));
  return numbered ? lines.map((line) => line.replace(/^ *\d+\t/, "")).join("\n") : undefined;
}

export function withOneTabLess(text: string): string {
  return text.replaceAll(/^\t/gm, "");
}

export function withOneTabMore(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "\t");
}

const entities: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&apos;": "'" };

export function withoutEntities(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|apos|#39);/g, (entity) => entities[entity] ?? entity);
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", '"': '"', "'": "'", "`": "`", "\\": "\\" };

export function unescaped(text: string): string {
  return text.replaceAll(/\\([ntr"'`\\])/g, (whole, letter: string) => escapes[letter] ?? whole);
}

/** Curly quotes as straight ones, one character for one. */
export function straightQuotes(text: string): string {
  return text.replaceAll(/[\u2018\u2019\u201A\u201B]/g, "'").replaceAll(/[\u201C\u201D\u201E\u201F]/g, '"');
}
