import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { expect, vi } from "vitest";

/**
 * Runs the first example of a README, which stands as `example.ts` beside the calling test. The README shows it word
 * for word: `test/docs/code-blocks.test.ts` holds the two together.
 *
 * @param testUrl `import.meta.url` of the calling test, in `packages/<name>/test/readme/`
 */
export function expectReadmeExample(testUrl: string): Promise<void> {
  return expectExample(testUrl, "example.ts");
}

/**
 * Runs an example of a page, in a home of its own outside the temp roots. Each `console.log` at the start of a line
 * prints the comment lines right below it.
 *
 * @param file beside the calling test
 */
export async function expectExample(testUrl: string, file: string): Promise<void> {
  const example = new URL(file, testUrl);
  const home = realpathSync(mkdtempSync(join(userInfo().homedir, ".cache-fencepost-example-")));
  const printed: string[] = [];
  vi.stubEnv("HOME", home);
  vi.spyOn(console, "log").mockImplementation((value) => void printed.push(...(typeof value === "string" ? value : inspect(value)).split("\n")));
  try {
    await import(example.href);
  } finally {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true, force: true });
  }
  expect(printed).toEqual(promisedOutput(readFileSync(example, "utf8")));
}

function promisedOutput(code: string): readonly string[] {
  return [...code.matchAll(/^console\.log\(.*\n((?:\/\/.*\n)+)/gm)].flatMap((match) => (match[1] ?? "").trimEnd().split("\n").map((line) => line.replace(/^\/\/ ?/, "")));
}
