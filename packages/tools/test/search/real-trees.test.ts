import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { gitFiles, ourFiles, ripgrepFiles } from "./list-files.ts";

// Packages as they lie on the disk of whoever runs the tests, with the ignore files that such projects have.

const require = createRequire(import.meta.url);

/** The ignore rules are those of public projects' kinds: names, endings, anchored and deep paths, exceptions. */
const trees: readonly { readonly package: string; readonly files: Readonly<Record<string, string>> }[] = [
  { package: "typebox", files: { ".gitignore": "*.map\n/build/*/guard\n!*.d.mts\n**/engine/**/*.mjs\n" } },
  { package: "vite", files: { ".gitignore": "dist/node/chunks\n*.d.ts\n!dist/**/index.d.ts\n/LICENSE*\n", "dist/.gitignore": "/client/*\n!/client/env.mjs\n" } },
  { package: "vitest", files: { ".gitignore": "chunks/\n*.d.ts\n!config.d.ts\n", "dist/.gitignore": "*.[0-9a-z]*.js\nworkers/\n" } },
  { package: "picomatch", files: { ".gitignore": "lib/*\n!lib/scan.js\n*.md\n!README.md\n" } },
  { package: "rregex", files: { ".gitignore": "*.wasm\n!lib/*.wasm\nREADME.*\n" } },
  { package: "diff-match-patch", files: { ".gitignore": "[A-Z]*\n!README.md\n" } },
  { package: "fdir", files: { ".gitignore": "dist/*.c?s\n*.d.?ts\n" } },
  { package: "ignore", files: { ".gitignore": "/*\n!/legacy.js\n!/index.d.ts\n" } },
];

let base: string;
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "fencepost-real-")));
  for (const tree of trees) {
    const root = join(base, tree.package);
    cpSync(packageRoot(tree.package), root, { recursive: true, filter: (path) => !path.endsWith("/node_modules") });
    execFileSync("git", ["init", "-q", root], { env: { PATH: process.env["PATH"], HOME: "/nonexistent" } });
    for (const [path, rules] of Object.entries(tree.files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), rules);
    }
  }
}, 120_000);
afterAll(() => rmSync(base, { recursive: true, force: true }));

function packageRoot(name: string): string {
  let at = dirname(realpathSync(require.resolve(name)));
  while (!existsSync(join(at, "package.json")) || !new RegExp(`/${name}$`, "u").test(at)) at = dirname(at);
  return at;
}

it.each(trees)("the tree of $package has the files that git and ripgrep see", async (tree) => {
  const root = join(base, tree.package);
  const ours = await ourFiles(root);
  expect(ours.length).toBeGreaterThan(0);
  expect(ours).toEqual(gitFiles(root));
  expect(ours).toEqual(ripgrepFiles(root));
  // As .ignore, of which git knows nothing, the same rules leave out the same files.
  for (const path of Object.keys(tree.files)) renameSync(join(root, path), join(root, path.replace(".gitignore", ".ignore")));
  expect(await ourFiles(root)).toEqual(ours);
  expect(await ourFiles(root)).toEqual(ripgrepFiles(root));
});
