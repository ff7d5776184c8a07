/** One text for all spellings of the same arguments: keys sorted, white space gone. Text that is no JSON stays as it is. */
export function canonicalArguments(input: string): string {
  try {
    return JSON.stringify(sorted(JSON.parse(input)));
  } catch {
    return input;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
