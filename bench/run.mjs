// `pnpm bench <name> [arguments]`: builds what is stale, bundles bench/src/<name>.ts against the built packages, runs it.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build as bundle } from "tsdown";
import { giveUp } from "../scripts/lib/say.mjs";
import { build, root } from "../scripts/lib/set-up.mjs";

const source = join(root, "bench/src");
const [name, ...args] = process.argv.slice(2);
const names = readdirSync(source)
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -3));
if (name === undefined || !names.includes(name)) giveUp(`usage: pnpm bench <name>; benchmarks: ${names.join(", ")}`, 2);

await build();
process.env.FENCEPOST_ROOT = root;

// Inside bench/, so that the bundle finds bench's own dependencies; each run its own, so that two do not meet.
const out = join(root, "bench/node_modules/.bench", `${name}-${process.pid}`);
try {
  await bundle({ config: false, cwd: join(root, "bench"), entry: [join(source, `${name}.ts`)], outDir: out, format: "esm", platform: "node", target: "node20", dts: false, clean: true, logLevel: "warn", report: false });
  const [file] = readdirSync(out).filter((entry) => entry.startsWith(`${name}.`) && entry.endsWith("js"));
  if (file === undefined || !existsSync(join(out, file))) giveUp(`bench/src/${name}.ts was not bundled`);
  // In a process of its own: this one holds a bundler, which would count as memory and make every start slower.
  const start = "const [file, ...args] = process.argv.slice(1); await (await import(file)).run(args);";
  const { status } = spawnSync(process.execPath, ["--input-type=module", "-e", start, pathToFileURL(join(out, file)).href, ...args], { stdio: "inherit" });
  process.exitCode = status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
