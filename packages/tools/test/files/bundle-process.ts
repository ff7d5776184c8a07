import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

/**
 * A source as one file of plain JavaScript: it starts quickly, so that it can be started often.
 *
 * @param source relative to this folder, without `.ts`
 */
export async function bundleProcess(source: string, directory: string): Promise<string> {
  const name = `${basename(source)}.mjs`;
  const conditions = ["@fencepost/source", "node", "import", "default"];
  await build({
    configFile: false,
    logLevel: "silent",
    resolve: { conditions },
    ssr: { noExternal: true, resolve: { conditions } },
    build: { ssr: fileURLToPath(new URL(`${source}.ts`, import.meta.url)), outDir: directory, emptyOutDir: false, target: "node20", rollupOptions: { output: { entryFileNames: name } } },
  });
  return join(directory, name);
}
