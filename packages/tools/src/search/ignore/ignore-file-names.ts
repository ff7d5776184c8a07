/** The files of rules that a search reads in each directory. */
export const ignoreFileNames: ReadonlySet<string> = new Set([".gitignore", ".ignore"]);
