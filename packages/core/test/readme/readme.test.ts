import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { expectExample } from "../../../../test/readme-example.ts";
import { bundle } from "../processes/bundle.ts";
import { realWorkspace } from "../doubles/real-workspace.ts";

const place = realWorkspace();

it("the README's first example prints what it says, as a process of its own", async () => {
  const example = readFileSync(new URL("example.ts", import.meta.url), "utf8");
  const program = await bundle("../readme/example");
  try {
    const printed = execFileSync(process.execPath, [program.file], { encoding: "utf8", env: { ...process.env, HOME: place.home } });
    const said = example.split("\n").flatMap((line) => (line.startsWith("// ") ? [line.slice("// ".length)] : []));
    expect(printed.trimEnd().split("\n")).toEqual(said);
  } finally {
    program.remove();
  }
});

it.each(["sixty-seconds.ts", "own-tool.ts", "own-search.ts", "undo.ts"])("the example %s prints what it says", (file) => expectExample(import.meta.url, file));
