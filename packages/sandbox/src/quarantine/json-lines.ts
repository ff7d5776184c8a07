import { appendFileSync, readFileSync } from "node:fs";

/** Adds a line to a file of our own state, which is made where it is missing. Throws as `appendFile` does. */
export function appendJsonLine(path: string, value: unknown): void {
  appendFileSync(path, `${JSON.stringify(value)}\n`, { mode: 0o600 });
}

/** The lines that hold what is looked for: none where the file cannot be read, and not one that was cut off. */
export function readJsonLines<Value>(path: string, isValue: (value: unknown) => value is Value): readonly Value[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return [];
  }
  return text.split("\n").map(parse).filter(isValue);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
