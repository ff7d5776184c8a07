import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { expect, vi } from "vitest";

/**
 * Runs the first example of a README, which stands as `example.ts` beside the calling test: the README shows it word
 * for word, and each `console.log` prints the comment line below it.
 *
 * @param testUrl `import.meta.url` of the calling test, in `packages/<name>/test/readme/`
 */
export async function expectReadmeExample(testUrl: string): Promise<void> {
  const example = new URL("example.ts", testUrl);
  const code = readFileSync(example, "utf8");
  expect(readFileSync(new URL("../../README.md", testUrl), "utf8")).toContain(code);
  const printed: string[] = [];
  vi.spyOn(console, "log").mockImplementation((value) => void printed.push(typeof value === "string" ? value : inspect(value)));
  try {
    await import(example.href);
  } finally {
    vi.restoreAllMocks();
  }
  expect(printed).toEqual([...code.matchAll(/^console\.log\(.*\n\/\/ (.*)$/gm)].map((match) => match[1]));
}
