import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, it } from "vitest";
import { sourceFiles } from "./sources.ts";

const root = new URL("../", import.meta.url);
const text = readFileSync(new URL("ARCHITECTURE.md", root), "utf8");
const named = [...text.matchAll(/`((?:packages|apps|docs|bench|test|scripts)(?:\/[^`\s]+)?)`/g)].map((match) => match[1] ?? "");

it("ARCHITECTURE.md names only paths that exist", () => {
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});

it("ARCHITECTURE.md names every folder of a package's sources", () => {
  const folders = sourceFiles()
    .map(({ path }) => posix.dirname(path).split("/").slice(0, 4).join("/"))
    .filter((folder) => folder.startsWith("packages/") && folder.split("/").length === 4);
  expect([...new Set(folders)].filter((folder) => !named.includes(folder))).toEqual([]);
});

it("every decision has its context, choice, rejected and consequence", () => {
  const listed = [...text.matchAll(/\]\((docs\/decisions\/[^)]+)\)/g)].map((match) => match[1] ?? "");
  expect(listed.length).toBeGreaterThan(3);
  for (const path of listed) {
    const decision = readFileSync(new URL(path, root), "utf8");
    for (const part of ["Context", "Choice", "Rejected", "Consequence"]) expect(decision, path).toContain(`**${part}.**`);
  }
});
