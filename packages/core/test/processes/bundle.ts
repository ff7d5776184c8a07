import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

export interface Bundle {
  readonly file: string;
  remove(): void;
}

/**
 * A process of a test as one file of plain JavaScript. It lies in this package, so that it finds better-sqlite3.
 *
 * @param entry relative to this file, without `.ts`
 */
export async function bundle(entry: string): Promise<Bundle> {
  const directory = mkdtempSync(fileURLToPath(new URL("../../node_modules/.fencepost-test-", import.meta.url)));
  const conditions = ["@fencepost/source", "node", "import", "default"];
  await build({
    configFile: false,
    logLevel: "silent",
    resolve: { conditions },
    ssr: { noExternal: true, external: ["better-sqlite3"], resolve: { conditions } },
    build: {
      ssr: fileURLToPath(new URL(`${entry}.ts`, import.meta.url)),
      outDir: directory,
      target: "node20",
      rollupOptions: { external: ["better-sqlite3", "vitest"], output: { entryFileNames: "main.mjs" } },
    },
  });
  return { file: join(directory, "main.mjs"), remove: () => rmSync(directory, { recursive: true, force: true }) };
}
