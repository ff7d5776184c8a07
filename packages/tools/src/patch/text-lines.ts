/** A file's text as lines, for patching: the line breaks and the byte order mark come back when it is joined. */
export interface TextLines {
  /** Without `\n`; a `\r` before it is part of the line. */
  readonly lines: readonly string[];
  /** The last line ends in a line break, or there is no line. */
  readonly finalBreak: boolean;
  readonly mark: string;
}

const byteOrderMark = "\uFEFF";

export function toTextLines(text: string): TextLines {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : "";
  const body = text.slice(mark.length);
  if (body === "") return { lines: [], finalBreak: true, mark };
  const lines = body.split("\n");
  const finalBreak = lines.at(-1) === "";
  if (finalBreak) lines.pop();
  return { lines, finalBreak, mark };
}

export function joinTextLines({ lines, finalBreak, mark }: TextLines): string {
  return mark + lines.join("\n") + (finalBreak && lines.length > 0 ? "\n" : "");
}
