/** A pattern that cannot be searched for. The message says what is wrong, where, and what to write instead. */
export class PatternError extends Error {
  override readonly name = "PatternError";
}
