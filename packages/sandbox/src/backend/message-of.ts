/** What a thrown value says, in one text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
