import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "tsdown";

const shared = { entry: ["src/index.ts"], format: "esm", platform: "node", target: "node20", logLevel: "warn" } as const;

/** Whose code is bundled is named with its license: each of them asks for that. Fails where one has no license text. */
const licenses = {
  name: "licenses",
  generateBundle(this: { emitFile(file: { type: "asset"; fileName: string; source: string }): string }, _options: unknown, bundle: Readonly<Record<string, { readonly moduleIds?: readonly string[] }>>): void {
    const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
    const packages = [...new Set(modules.map(packageOf).filter((directory) => directory !== undefined))].toSorted((left, right) => titleOf(left).localeCompare(titleOf(right)));
    this.emitFile({ type: "asset", fileName: "THIRD-PARTY-LICENSES.txt", source: packages.map((directory) => `${titleOf(directory)}\n\n${licenseOf(directory)}`).join(`\n${"-".repeat(80)}\n\n`) });
  },
};

function packageOf(id: string): string | undefined {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0];
}

function titleOf(directory: string): string {
  const { name, version, license }: { name: string; version: string; license: string } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  return `${name} ${version} (${license})`;
}

function licenseOf(directory: string): string {
  const file = readdirSync(directory).find((name) => /^licen[cs]e(?:\.\w+)?$/i.test(name));
  if (file === undefined) throw new Error(`${directory}: no license text to ship with the bundle`);
  return `${readFileSync(join(directory, file), "utf8").trim()}\n`;
}

export default defineConfig([
  // One file: finding a hundred modules on disk costs more at start than all else this package does.
  { ...shared, dts: false, clean: true, deps: { alwaysBundle: [/./] }, plugins: [licenses] },
  // The types stay imports: a TypeBox schema of ours is one of the reader's own TypeBox.
  { ...shared, dts: { emitDtsOnly: true }, clean: false },
]);
