/** The longest glob, in characters. */
export const maxGlobCharacters = 20_000;
