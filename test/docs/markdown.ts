import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { packageNames } from "../sources.ts";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** A fenced block of a page. */
export interface CodeBlock {
  readonly page: string;
  /** Of its first line of code, from 1. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
  /** What the comment above it says it is copied from: a path, or a path with `#region`. */
  readonly source: string | undefined;
}

/** Every page a reader gets, from the root. The reference is left out: it is generated from compiled code. */
export function pages(): readonly string[] {
  return ["README.md", "ARCHITECTURE.md", ...pagesBelow("docs"), ...packageNames().map((name) => `packages/${name}/README.md`)];
}

function pagesBelow(folder: string): readonly string[] {
  return readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md") && !path.startsWith("reference/"))
    .map((path) => `${folder}/${path}`)
    .toSorted();
}

const sourceComment = /^<!-- from (\S+) -->$/;

/** The fenced blocks of a page, in their order. */
export function codeBlocks(page: string): readonly CodeBlock[] {
  const lines = readFileSync(`${root}${page}`, "utf8").split("\n");
  const blocks: CodeBlock[] = [];
  for (let index = 0; index < lines.length; index++) {
    const opening = /^```(\w*)$/.exec(lines[index] ?? "");
    if (!opening) continue;
    const end = lines.indexOf("```", index + 1);
    if (end < 0) throw new Error(`${page}:${index + 1}: the block has no end`);
    const source = sourceComment.exec(lines[index - 1] ?? "")?.[1];
    blocks.push({ page, line: index + 2, language: opening[1] ?? "", code: lines.slice(index + 1, end).map((line) => `${line}\n`).join(""), source });
    index = end;
  }
  return blocks;
}

/** The text that a block is a copy of: a whole file, or what stands between `// #region name` and `// #endregion`. */
export function sourceText(source: string): string {
  const [path = "", region] = source.split("#");
  const text = readFileSync(`${root}${path}`, "utf8");
  if (region === undefined) return text;
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.trim() === `// #region ${region}`);
  const end = lines.findIndex((line, index) => index > start && line.trim() === "// #endregion");
  if (start < 0 || end < 0) throw new Error(`${path} has no region ${region}`);
  const kept = lines.slice(start + 1, end);
  const indent = Math.min(...kept.filter((line) => line !== "").map((line) => line.length - line.trimStart().length));
  return `${kept.map((line) => line.slice(indent)).join("\n")}\n`;
}
