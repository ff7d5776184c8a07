/** What stands before a path below a directory to make it absolute. */
export function prefixOf(directory: string): string {
  return directory === "/" ? "/" : `${directory}/`;
}
