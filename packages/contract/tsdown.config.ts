import { defineConfig } from "tsdown";
import { bundledLicenses, licensesFile } from "../../scripts/lib/bundled-licenses.mjs";

const shared = { entry: ["src/index.ts"], format: "esm", platform: "node", target: "node20", logLevel: "warn" } as const;

const licenses = {
  name: "licenses",
  generateBundle(this: { emitFile(file: { type: "asset"; fileName: string; source: string }): string }, _options: unknown, bundle: Readonly<Record<string, { readonly moduleIds?: readonly string[] }>>): void {
    const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
    this.emitFile({ type: "asset", fileName: licensesFile, source: bundledLicenses(modules) });
  },
};

export default defineConfig([
  // One file: finding a hundred modules on disk costs more at start than all else this package does.
  { ...shared, dts: false, clean: true, deps: { alwaysBundle: [/./] }, plugins: [licenses] },
  // The types stay imports: a TypeBox schema of ours is one of the reader's own TypeBox.
  { ...shared, dts: { emitDtsOnly: true }, clean: false },
]);
