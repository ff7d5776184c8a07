/** The command line, or what it names, is wrong. The message is one line for a person. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
