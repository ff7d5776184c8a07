import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { codeBlocks, pages, root, sourceText, type CodeBlock } from "./markdown.ts";

/** Compiled by `pnpm types`, and run by the test beside them where they do something on their own. */
const examples = /^packages\/[^/]+\/test\/readme\/[\w.-]+\.ts(?:#[\w-]+)?$/;

/** What may stand in a page besides TypeScript, and what proves it. `text` is no code: output, a drawing. */
const languages = ["ts", "sh", "json", "text"];

if (process.env["FENCEPOST_REFRESH"] === "1") for (const page of pages()) refresh(page);

const blocks = pages().flatMap(codeBlocks);

const placeOf = ({ page, line }: CodeBlock): string => `${page}:${line}`;

describe("code in the README and in docs", () => {
  it("has a language that a test knows how to prove", () => {
    expect(blocks.length).toBeGreaterThan(20);
    expect(blocks.filter(({ language }) => !languages.includes(language)).map(placeOf)).toEqual([]);
  });

  it("in TypeScript is a copy of a compiled example", () => {
    const typescript = blocks.filter(({ language }) => language === "ts");
    expect(typescript.filter(({ source }) => source === undefined || !examples.test(source)).map(placeOf)).toEqual([]);
    for (const block of typescript) expect(block.code, `${placeOf(block)} differs from ${block.source}; refresh it with \`pnpm inventory\``).toBe(sourceText(block.source ?? ""));
  });

  it("in JSON can be read", () => {
    for (const block of blocks.filter(({ language }) => language === "json")) expect(() => JSON.parse(block.code), placeOf(block)).not.toThrow();
  });

  it("names files that exist", () => {
    for (const page of pages()) for (const path of linkedPaths(page)) expect(() => readFileSync(new URL(path, `file://${root}${page}`)), `${page} links ${path}`).not.toThrow(/ENOENT/);
  });
});

/** Copies the examples of a page into it again. */
function refresh(page: string): void {
  let text = readFileSync(`${root}${page}`, "utf8");
  for (const { source, code, language } of codeBlocks(page)) {
    if (source !== undefined) text = text.replace(`<!-- from ${source} -->\n\`\`\`${language}\n${code}\`\`\``, () => `<!-- from ${source} -->\n\`\`\`${language}\n${sourceText(source)}\`\`\``);
  }
  writeFileSync(`${root}${page}`, text);
}

/** What a page links in this repository. */
function linkedPaths(page: string): readonly string[] {
  const text = readFileSync(`${root}${page}`, "utf8").replaceAll(/^```[\s\S]*?^```$/gm, "");
  return [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map((match) => match[1] ?? "").filter((link) => !/^[a-z]+:/.test(link));
}
