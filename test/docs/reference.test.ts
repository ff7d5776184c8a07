import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { entryPoints, publicDeclarations, publishedPackages, root, type EntryPoint, type PublicDeclarations } from "../public-declarations.ts";

let declarations: PublicDeclarations;

beforeAll(() => {
  declarations = publicDeclarations({ removeComments: false });
});

function section(entry: EntryPoint): string {
  const [ours, others] = [declarations.of(entry).filter(({ text }) => text !== ""), declarations.of(entry).filter(({ text }) => text === "")];
  const shown = ours.map(({ name, text, documentation }) => `### ${name}\n\n${documentation === "" ? "" : `${documentation}\n\n`}\`\`\`ts\n${text}\n\`\`\`\n`);
  if (others.length > 0) shown.push(`Exported from another package: ${others.map(({ name }) => `\`${name}\``).join(", ")}.\n`);
  return `## ${entry.specifier}\n\n${shown.join("\n")}`;
}

describe("the reference", () => {
  it.each(publishedPackages)("of %s says what the docstrings say", (name) => {
    const folder = `${root}docs/reference`;
    const path = `${folder}/${name}.md`;
    const text = `# Reference of @fencepost/${name}\n\nMade from the sources and their docstrings by \`pnpm inventory\`. Do not edit.\n\n${entryPoints(name).map(section).join("\n")}`;
    if (process.env["FENCEPOST_REFRESH"] === "1") {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path, text);
    }
    const current = existsSync(path) ? readFileSync(path, "utf8") : "";
    expect(current === text, "the reference has drifted; refresh it with `pnpm inventory`").toBe(true);
  });
});
