/** The beginning of a text that an answer repeats: so many characters, and `…` where there are more. */
export function shorten(text: string, maxCharacters: number): string {
  // A character is at most two units: no more of a long text is looked at.
  const beginning = Array.from(text.slice(0, 2 * maxCharacters + 1));
  return beginning.length <= maxCharacters ? text : `${beginning.slice(0, maxCharacters).join("")}…`;
}
