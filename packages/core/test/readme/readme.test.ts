import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { bundle } from "../processes/bundle.ts";
import { realWorkspace } from "../doubles/real-workspace.ts";

const place = realWorkspace();
const textOf = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

it("the README's first example is the compiled one, and prints what it says", async () => {
  const example = textOf("example.ts");
  expect(textOf("../../README.md")).toContain(`\`\`\`ts\n${example}\`\`\``);
  const program = await bundle("../readme/example");
  try {
    const printed = execFileSync(process.execPath, [program.file], { encoding: "utf8", env: { ...process.env, HOME: place.home } });
    const said = example.split("\n").flatMap((line) => (line.startsWith("// ") ? [line.slice("// ".length)] : []));
    expect(printed.trimEnd().split("\n")).toEqual(said);
  } finally {
    program.remove();
  }
});
