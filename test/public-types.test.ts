import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { entryPoints, publicDeclarations, publishedPackages, root, type EntryPoint, type PublicDeclarations } from "./public-declarations.ts";

/**
 * How many type instantiations checking the tools and all below them may take. Inference through a schema in one
 * place too many multiplies it, and seconds of every build with it; a new tool adds a few thousand.
 */
const maxInstantiations = 120_000;

let declarations: PublicDeclarations;

beforeAll(() => {
  declarations = publicDeclarations({ removeComments: true });
});

/** Every declaration that an import path exports, printed without bodies and comments, by name. */
function publicTypes(entry: EntryPoint): string {
  return declarations.of(entry).map(({ name, text }) => text || `// ${name}: of another package`).join("\n");
}

/** What a package promises in types: a change of these files is a change for everybody who uses the package. */
describe("public types", () => {
  it("are cheap to check", () => {
    const { program } = declarations;
    const index = program.getSourceFile(`${root}packages/tools/src/index.ts`);
    const tools = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(`${root}packages/tools/src/builtin/`));
    for (const file of [index, ...tools]) program.getSemanticDiagnostics(file);
    expect(program.getInstantiationCount()).toBeLessThan(maxInstantiations);
    expect(program.getInstantiationCount()).toBeGreaterThan(1000);
  });

  it.each(publishedPackages)("of %s are the reviewed ones", (name) => {
    const path = `${root}packages/${name}/public-types.txt`;
    const [index, ...subpaths] = entryPoints(name);
    if (!index) throw new Error(`${name} exports nothing`);
    const text = [`${publicTypes(index)}\n`, ...subpaths.map((entry) => `\n// ${entry.specifier}\n${publicTypes(entry)}\n`)].join("");
    if (process.env["FENCEPOST_REFRESH"] === "1") writeFileSync(path, text);
    const current = existsSync(path) ? readFileSync(path, "utf8") : "";
    expect(current, "the public types have changed; look at the difference and refresh it with `pnpm inventory`").toBe(text);
  });
});
