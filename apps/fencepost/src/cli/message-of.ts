/** What a caught value says, in the words it brings. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
