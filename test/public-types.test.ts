import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";

/** What a package promises in types: a change of these files is a change for everybody who uses the package. */
const packages = ["contract", "sandbox", "tools", "core"] as const;

/**
 * How many type instantiations checking the tools and all below them may take. Inference through a schema in one
 * place too many multiplies it, and seconds of every build with it; a new tool adds a few thousand.
 */
const maxInstantiations = 120_000;

const root = fileURLToPath(new URL("../", import.meta.url));

let program: ts.Program;

beforeAll(() => {
  const { config } = ts.readConfigFile(`${root}tsconfig.base.json`, (path) => ts.sys.readFile(path));
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  program = ts.createProgram(
    packages.map((name) => `${root}packages/${name}/src/index.ts`),
    { ...options, noEmit: false, declaration: true, emitDeclarationOnly: true, removeComments: true, rewriteRelativeImportExtensions: false, outDir: "/declarations", rootDir: root },
  );
});

/** Every declaration that a package's index exports, printed without bodies and comments, by name. */
function publicTypes(name: string): string {
  const index = program.getSourceFile(`${root}packages/${name}/src/index.ts`);
  const symbol = index && program.getTypeChecker().getSymbolAtLocation(index);
  if (!symbol) throw new Error(`no exports in ${name}`);
  const exported = program.getTypeChecker().getExportsOfModule(symbol).toSorted((left, right) => (left.name < right.name ? -1 : 1));
  return exported.map((entry) => declarationText(name, entry)).join("\n");
}

const emitted = new Map<string, ts.SourceFile>();

function declarationText(packageName: string, exported: ts.Symbol): string {
  const checker = program.getTypeChecker();
  const target = (exported.flags & ts.SymbolFlags.Alias) === 0 ? exported : checker.getAliasedSymbol(exported);
  const texts = (target.declarations ?? []).flatMap((declaration) => {
    const source = declaration.getSourceFile();
    if (!source.fileName.startsWith(`${root}packages/${packageName}/`)) return [`// ${exported.name}: of another package`];
    return declarationFile(source).statements.filter((statement) => namesOf(statement).includes(target.name)).map((statement) => statement.getText());
  });
  return [...new Set(texts)].join("\n");
}

/** The `.d.ts` of one source. */
function declarationFile(source: ts.SourceFile): ts.SourceFile {
  const known = emitted.get(source.fileName);
  if (known) return known;
  let text = "";
  program.emit(source, (path, content) => void (path.endsWith(".d.ts") && (text = content)), undefined, true);
  const file = ts.createSourceFile(source.fileName, text, ts.ScriptTarget.ES2023, true);
  emitted.set(source.fileName, file);
  return file;
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.getText());
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement) || ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
    return statement.name ? [statement.name.text] : [];
  }
  return [];
}

describe("public types", () => {
  it.each(packages)("of %s are the reviewed ones", (name) => {
    const path = `${root}packages/${name}/public-types.txt`;
    const text = `${publicTypes(name)}\n`;
    if (process.env["FENCEPOST_REFRESH"] === "1") writeFileSync(path, text);
    const current = existsSync(path) ? readFileSync(path, "utf8") : "";
    expect(current, "the public types have changed; look at the difference and refresh it with `pnpm inventory`").toBe(text);
  });

  it("are cheap to check", () => {
    const index = program.getSourceFile(`${root}packages/tools/src/index.ts`);
    const tools = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(`${root}packages/tools/src/builtin/`));
    for (const file of [index, ...tools]) program.getSemanticDiagnostics(file);
    expect(program.getInstantiationCount()).toBeLessThan(maxInstantiations);
    expect(program.getInstantiationCount()).toBeGreaterThan(1000);
  });
});
