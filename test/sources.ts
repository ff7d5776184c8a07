import { existsSync, readdirSync, readFileSync } from "node:fs";

const root = new URL("../", import.meta.url);

/** One source file of the repository, with what it imports. */
export interface SourceFile {
  /** From the root: `packages/tools/src/index.ts`. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

/** Every TypeScript source of the packages and apps; no tests. */
export function sourceFiles(): readonly SourceFile[] {
  return ["packages", "apps"].flatMap((group) => names(group).flatMap((name) => filesBelow(`${group}/${name}/src`)));
}

/** Names of the packages in `packages`. */
export function packageNames(): readonly string[] {
  return names("packages");
}

export function readText(path: string): string {
  return readFileSync(new URL(path, root), "utf8");
}

function names(directory: string): readonly string[] {
  return readdirSync(new URL(directory, root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}

function filesBelow(directory: string): readonly SourceFile[] {
  if (!existsSync(new URL(directory, root))) return [];
  return readdirSync(new URL(directory, root), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?tsx?$/.test(entry.name))
    .map((entry) => `${entry.parentPath.slice(root.pathname.length)}/${entry.name}`)
    .map((path) => ({ path, text: readText(path), imports: importsOf(readText(path)) }));
}

/** Static, dynamic, re-exporting and requiring imports: whatever could bring another module in. */
function importsOf(text: string): readonly string[] {
  const patterns = [/\bfrom\s*["']([^"']+)["']/g, /\bimport\s*["']([^"']+)["']/g, /\b(?:import|require|getBuiltinModule)\s*\(\s*["'`]([^"'`]+)["'`]/g];
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? ""));
}
