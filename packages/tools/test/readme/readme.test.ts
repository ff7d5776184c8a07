import { readFileSync } from "node:fs";
import { expect, it, vi } from "vitest";

it("[T1] the first example of the README runs and prints what it says", async () => {
  const code = readFileSync(new URL("example.ts", import.meta.url), "utf8");
  expect(readFileSync(new URL("../../README.md", import.meta.url), "utf8")).toContain(code);
  const printed: unknown[] = [];
  vi.spyOn(console, "log").mockImplementation((line) => void printed.push(line));
  await import("./example.ts");
  vi.restoreAllMocks();
  expect(printed).toEqual([...code.matchAll(/^console\.log\(.*\n\/\/ (.*)$/gm)].map((match) => match[1]));
});
