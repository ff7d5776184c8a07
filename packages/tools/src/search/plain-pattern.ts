/** A pattern that matches this text as it stands. */
export function plainPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`);
}
