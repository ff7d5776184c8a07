/** The longest pattern, in characters. */
export const maxPatternCharacters = 200_000;
