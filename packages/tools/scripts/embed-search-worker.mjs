// Bundles src/search/worker/main.ts into src/search/local/worker-source.generated.ts, as text. A search thread so starts
// from that text wherever the package ends up: from sources under test, from dist, inside another bundle.
// Beside the package go the licenses of what the text contains. With --check it only says whether both are up to date.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { bundledLicenses, licensesFile } from "../../../scripts/lib/bundled-licenses.mjs";

const entry = fileURLToPath(new URL("../src/search/worker/main.ts", import.meta.url));
const target = new URL("../src/search/local/worker-source.generated.ts", import.meta.url);
const licenses = new URL(`../${licensesFile}`, import.meta.url);

/**
 * fdir looks for an optional picomatch beside itself. From a text that would be beside the working directory: whoever
 * controls the workspace would run in the search thread.
 */
const withoutLookups = {
  name: "without-lookups",
  transform: (code, id) => (/[\\/]fdir[\\/]/.test(id) ? code.replaceAll("createRequire(import.meta.url)", "undefined") : undefined),
};

const [output] = await build({
  configFile: false,
  logLevel: "error",
  plugins: [withoutLookups],
  ssr: { target: "node", noExternal: true },
  build: { ssr: true, write: false, minify: true, target: "node20", lib: { entry, formats: ["cjs"] }, rollupOptions: { external: [/^node:/] } },
}).then((result) => (Array.isArray(result) ? result : [result]));
const code = output.output[0].code.trim();
const loaded = [...code.matchAll(/createRequire|__filename|\bimport\(|\brequire\(([^)]*)\)/g)].filter(([, name]) => name === undefined || !isBuiltin(name.slice(1, -1))).map(([text]) => text);
if (loaded.length > 0) throw new Error(`the search worker would load code at run time: ${loaded.join(", ")}`);
const made = new Map([
  [target, `// Made by scripts/embed-search-worker.mjs: do not edit.\nexport const workerSource: string =\n  ${JSON.stringify(code)};\n`],
  [licenses, bundledLicenses(Object.keys(output.output[0].modules))],
]);

if (process.argv.includes("--check")) {
  const current = [...made].every(([file, text]) => existsSync(file) && readFileSync(file, "utf8") === text);
  process.stdout.write(current ? "up to date\n" : "out of date: run node packages/tools/scripts/embed-search-worker.mjs\n");
  process.exitCode = current ? 0 : 1;
} else {
  for (const [file, text] of made) writeFileSync(file, text);
}
