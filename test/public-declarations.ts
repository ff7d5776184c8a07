import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

export const root = fileURLToPath(new URL("../", import.meta.url));

/** The packages that others install, in the order of their arrows. */
export const publishedPackages = ["contract", "sandbox", "tools", "core", "adapters"] as const;

/** One import path of a package, and the source that stands behind it. */
export interface EntryPoint {
  /** As it is imported: `@fencepost/core/sqlite`. */
  readonly specifier: string;
  readonly file: string;
}

/** One exported name. */
export interface PublicDeclaration {
  readonly name: string;
  /** Its `.d.ts`, without the docstring above it. Empty where it is another package's. */
  readonly text: string;
  /** What its docstring says, in Markdown. */
  readonly documentation: string;
}

export interface PublicDeclarations {
  readonly program: ts.Program;
  of(entry: EntryPoint): readonly PublicDeclaration[];
}

export function entryPoints(name: string): readonly EntryPoint[] {
  const manifest: { exports: Record<string, { "@fencepost/source": string }> } = JSON.parse(readFileSync(`${root}packages/${name}/package.json`, "utf8"));
  return Object.entries(manifest.exports).map(([path, target]) => ({
    specifier: `@fencepost/${name}${path.slice(1)}`,
    file: `${root}packages/${name}/${target["@fencepost/source"].slice("./".length)}`,
  }));
}

/** @param removeComments whether the declarations keep the docstrings of their members */
export function publicDeclarations({ removeComments }: { readonly removeComments: boolean }): PublicDeclarations {
  const { config } = ts.readConfigFile(`${root}tsconfig.base.json`, (path) => ts.sys.readFile(path));
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const program = ts.createProgram(
    publishedPackages.flatMap((name) => entryPoints(name).map(({ file }) => file)),
    { ...options, noEmit: false, declaration: true, emitDeclarationOnly: true, removeComments, rewriteRelativeImportExtensions: false, outDir: "/declarations", rootDir: root },
  );
  const emitted = new Map<string, ts.SourceFile>();

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

  function declarationOf(entry: EntryPoint, exported: ts.Symbol): PublicDeclaration {
    const checker = program.getTypeChecker();
    const target = (exported.flags & ts.SymbolFlags.Alias) === 0 ? exported : checker.getAliasedSymbol(exported);
    const packageFolder = entry.file.slice(0, entry.file.indexOf("/src/") + 1);
    const texts = (target.declarations ?? []).flatMap((declaration) => {
      const source = declaration.getSourceFile();
      if (!source.fileName.startsWith(packageFolder)) return [];
      return declarationFile(source).statements.filter((statement) => namesOf(statement).includes(target.name)).map((statement) => statement.getText());
    });
    return { name: exported.name, text: [...new Set(texts)].join("\n"), documentation: documentationOf(target, checker) };
  }

  return {
    program,
    of(entry) {
      const index = program.getSourceFile(entry.file);
      const symbol = index && program.getTypeChecker().getSymbolAtLocation(index);
      if (!symbol) throw new Error(`no exports in ${entry.specifier}`);
      const exported = program.getTypeChecker().getExportsOfModule(symbol).toSorted((left, right) => (left.name < right.name ? -1 : 1));
      return exported.map((one) => declarationOf(entry, one));
    },
  };
}

/** The docstring without its examples: the guides have examples that are run. */
function documentationOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const tags = symbol.getJsDocTags(checker).filter(({ name }) => name !== "example");
  const listed = tags.map(({ name, text }) => `- ${name === "throws" ? "Throws" : name} ${ts.displayPartsToString(text).replaceAll("\n", " ")}`.replace(/^- param (\w+) /, "- `$1`: "));
  return [ts.displayPartsToString(symbol.getDocumentationComment(checker)), listed.join("\n")].filter((part) => part !== "").join("\n\n");
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.getText());
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement) || ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
    return statement.name ? [statement.name.text] : [];
  }
  return [];
}
