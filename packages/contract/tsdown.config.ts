import { defineConfig } from "tsdown";

const shared = { entry: ["src/index.ts"], format: "esm", platform: "node", target: "node20", logLevel: "warn" } as const;

export default defineConfig([
  // One file: finding a hundred modules on disk costs more at start than all else this package does.
  { ...shared, dts: false, clean: true, deps: { alwaysBundle: [/./] } },
  // The types stay imports: a TypeBox schema of ours is one of the reader's own TypeBox.
  { ...shared, dts: { emitDtsOnly: true }, clean: false },
]);
