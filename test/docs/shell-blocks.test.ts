import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildCommand } from "../../apps/fencepost/test/black-box/built-command.ts";
import { createWorld, type World } from "../../apps/fencepost/test/black-box/world.ts";
import { codeBlocks, pages, root, type CodeBlock } from "./markdown.ts";

/** Blocks that are not run here, by their first line, and why. Every other block is run as it stands. */
const notRun: Readonly<Record<string, string>> = {
  "npm start": "the demo's own test runs it (apps/fencepost/test/black-box/demo.test.ts)",
  "npm test           # everything, with the real kernel": "it is what runs this test",
};

let world: World;

beforeAll(() => {
  buildCommand();
  world = createWorld("home");
  const project = join(world.home, "src/project");
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, "main.ts"), "// TODO: all of it\n");
});

afterAll(() => world.remove());

const blocks = pages().flatMap(codeBlocks);
const shell = blocks.filter(({ language }) => language === "sh");
const reasonOf = (block: CodeBlock): string | undefined => (isInstall(block) ? "the packed packages' own check installs them (scripts/check-packed.mjs)" : notRun[block.code.split("\n", 1)[0] ?? ""]);

/** One line that installs packages from npm. */
function isInstall({ code }: CodeBlock): boolean {
  return /^npm install [^\n]+\n$/.test(code);
}

/** The packages that an example imports: `@scope/name` or `name`, without Node's own. */
function imported({ code }: CodeBlock): readonly string[] {
  return [...code.matchAll(/ from "((?:@[^/"]+\/)?[^/."][^/"]*)/g)].map((match) => match[1] ?? "").filter((name) => !name.startsWith("node:"));
}

describe("shell blocks", () => {
  it("that are not run have a reason, and no reason is left over", () => {
    const firstLines = shell.map(({ code }) => code.split("\n", 1)[0] ?? "");
    expect(Object.keys(notRun).filter((line) => !firstLines.includes(line))).toEqual([]);
  });

  it.each(pages().filter((page) => shell.some((block) => block.page === page && isInstall(block))))("that install what %s needs name all that its examples import", (page) => {
    const named = shell.filter((block) => block.page === page && isInstall(block)).flatMap(({ code }) => code.trim().split(" ").slice(2));
    const needed = blocks.filter((block) => block.page === page && block.language === "ts").flatMap(imported);
    // What the adapters speak to is chosen from a table.
    const chosen = page === "packages/adapters/README.md" ? ["ai"] : [];
    expect(needed.filter((name) => ![...named, ...chosen].includes(name))).toEqual([]);
  });

  it("that are run install nothing", () => {
    expect(shell.filter((block) => reasonOf(block) === undefined && /\b(?:npm|npx|pnpm)\b/.test(block.code)).map(({ page, line }) => `${page}:${line}`)).toEqual([]);
  });

  it.each(shell.filter((block) => reasonOf(block) === undefined).map((block) => [`${block.page}:${block.line}`, block] as const))("%s runs as it stands", (_place, block) => {
    const ran = spawnSync("/bin/bash", ["-c", `shopt -s expand_aliases; set -e -o pipefail\n${block.code}`], { cwd: root, env: world.env, encoding: "utf8", input: "" });
    expect(ran.status, ran.stderr).toBe(0);
    const shown = blocks[blocks.indexOf(block) + 1];
    // A block of text right below shows what was printed.
    if (shown?.page === block.page && shown.language === "text" && shown.line <= block.line + block.code.split("\n").length + 6) expect(ran.stdout.replaceAll(world.home, "~")).toBe(shown.code);
  });
});
