import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

/** The writing process as one file of plain JavaScript: it starts quickly, so that it can be killed often. */
export async function bundleWriter(directory: string): Promise<string> {
  const conditions = ["@fencepost/source", "node", "import", "default"];
  await build({
    configFile: false,
    logLevel: "silent",
    resolve: { conditions },
    ssr: { noExternal: true, resolve: { conditions } },
    build: { ssr: fileURLToPath(new URL("writer-process.ts", import.meta.url)), outDir: directory, target: "node20", rollupOptions: { output: { entryFileNames: "writer.mjs" } } },
  });
  return join(directory, "writer.mjs");
}
