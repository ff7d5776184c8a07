/** The fields of a value that nobody has checked. */
export function fieldsOf(input: unknown): Readonly<Record<string, unknown>> {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? Object.fromEntries(Object.entries(input)) : {};
}
