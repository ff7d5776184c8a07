import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const root = new URL("../", import.meta.url);

it("ARCHITECTURE.md names only paths that exist", () => {
  const text = readFileSync(new URL("ARCHITECTURE.md", root), "utf8");
  const named = [...text.matchAll(/`((?:packages|apps|docs|bench)(?:\/[^`\s]+)?)`/g)].map((match) => match[1] ?? "");
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});
