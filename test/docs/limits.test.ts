import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { posix } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { publishedPackages, root } from "../public-declarations.ts";
import { sourceFiles } from "../sources.ts";

interface Limit {
  readonly path: string;
  readonly name: string;
  readonly value: number;
  readonly meaning: string;
}

/** Names of limits: they say what is bounded, and in which unit. */
const limitName = /^(?:max|min|default|least|most|longest)[A-Z]|(?:Bytes|Ms|Days|Characters|Lines)$/;

/** Units that only say how fast or in what pieces we work: nobody meets them. */
const inner = /\/testing\/|\/regex\/automata\/|(?:chunk|buffer|copyBuffer|block|nsPer|part|piece|poll|pause|nap|padding|reserved|usual|held|kept|least|longest|first|slowest|id|control|calm|apart|quiet|interval|perDay)[A-Z]?\w*$|read(?:Bytes)$/;

function limits(): readonly Limit[] {
  return sourceFiles()
    .filter(({ path }) => publishedPackages.some((name) => path.startsWith(`packages/${name}/src/`)))
    .toSorted((left, right) => (left.path < right.path ? -1 : 1))
    .flatMap(({ path, text }) => limitsIn(ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true), path));
}

function limitsIn(file: ts.SourceFile, path: string): readonly Limit[] {
  const found: Limit[] = [];
  // A constant right below a documented one belongs to it; others without a word say nothing to a reader.
  let documentedTo = -1;
  for (const statement of file.statements.filter(ts.isVariableStatement)) {
    const text = docstring(statement);
    const belongs = text === undefined && file.text.slice(documentedTo, statement.getStart()) === "\n";
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (initializer && ts.isObjectLiteralExpression(initializer) && /^default\w+(?:Options|Limits)$/.test(name.getText())) found.push(...defaultsIn(initializer, file, path));
      const value = initializer && numberOf(initializer);
      const word = name.getText();
      if (value === undefined || !limitName.test(word) || inner.test(`${path}#${word}`)) continue;
      if (text !== undefined || belongs) found.push({ path, name: word, value, meaning: text ?? inWords(word) });
    }
    if (text !== undefined || belongs) documentedTo = statement.end;
  }
  return found;
}

/** The numbers of an object of defaults; the interface beside it says what they mean. */
function defaultsIn(object: ts.ObjectLiteralExpression, file: ts.SourceFile, path: string): readonly Limit[] {
  const members = file.statements.filter(ts.isInterfaceDeclaration).flatMap((one) => [...one.members]);
  return object.properties.filter(ts.isPropertyAssignment).flatMap((property) => {
    const [name, value] = [property.name.getText(), numberOf(property.initializer)];
    const member = members.find((one) => one.name?.getText() === name);
    return value === undefined ? [] : [{ path, name, value, meaning: `Default. ${(member && docstring(member)) ?? inWords(name)}` }];
  });
}

/** What a constant expression of numbers is worth. */
function numberOf(node: ts.Expression): number | undefined {
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isParenthesizedExpression(node)) return numberOf(node.expression);
  if (!ts.isBinaryExpression(node)) return undefined;
  const [left, right] = [numberOf(node.left), numberOf(node.right)];
  if (left === undefined || right === undefined) return undefined;
  switch (node.operatorToken.kind) {
    case ts.SyntaxKind.AsteriskToken:
      return left * right;
    case ts.SyntaxKind.AsteriskAsteriskToken:
      return left ** right;
    case ts.SyntaxKind.PlusToken:
      return left + right;
    case ts.SyntaxKind.MinusToken:
      return left - right;
    default:
      return undefined;
  }
}

function docstring(statement: ts.Node): string | undefined {
  const [comment] = ts.getJSDocCommentsAndTags(statement).filter(ts.isJSDoc);
  return comment ? ts.getTextOfJSDocComment(comment.comment)?.replaceAll(/\s+/g, " ").replaceAll("|", "\\|") : undefined;
}

function inWords(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/ (?:bytes|ms)$/, "");
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}

function shown({ name, value }: Limit): string {
  if (name.endsWith("Bytes")) return inUnits(value, [["GiB", 1024 ** 3], ["MiB", 1024 ** 2], ["KiB", 1024]], "bytes");
  if (name.endsWith("Ms")) return inUnits(value, [["d", 86_400_000], ["h", 3_600_000], ["min", 60_000], ["s", 1000]], "ms");
  return value.toLocaleString("en");
}

/** In the largest unit that gives a whole number. */
function inUnits(value: number, units: readonly (readonly [string, number])[], smallest: string): string {
  const unit = units.find(([, size]) => value >= size && value % size === 0);
  return unit ? `${(value / unit[1]).toLocaleString("en")} ${unit[0]}` : `${value.toLocaleString("en")} ${smallest}`;
}

/** `packages/tools/src/search/grep-text.ts` → `tools/search`. */
function partOf({ path }: Limit): string {
  const folder = posix.dirname(path).split("/");
  return [folder[1], ...folder.slice(3, 4)].join("/");
}

function page(all: readonly Limit[]): string {
  const parts = [...new Set(all.map(partOf))];
  const tables = parts.map((part) => {
    const rows = all.filter((limit) => partOf(limit) === part).map((limit) => `| \`${limit.name}\` | ${shown(limit)} | ${limit.meaning} |`);
    return `## ${part}\n\n| constant | value | meaning |\n|---|---|---|\n${rows.join("\n")}\n`;
  });
  return `# Limits\n\nMade from the constants in the sources by \`pnpm inventory\`. Do not edit. What a host can change is in\n\`OpenSessionOptions\` and \`ToolOptions\` ([reference](reference/core.md)).\n\n${tables.join("\n")}`;
}

it("the table of limits says what the constants say", () => {
  const all = limits();
  expect(all.length).toBeGreaterThan(50);
  const path = `${root}docs/limits.md`;
  if (process.env["FENCEPOST_REFRESH"] === "1") writeFileSync(path, page(all));
  expect(existsSync(path) ? readFileSync(path, "utf8") : "", "the limits have changed; refresh the table with `pnpm inventory`").toBe(page(all));
});
