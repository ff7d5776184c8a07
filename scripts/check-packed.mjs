// `pnpm check:packed`: every public package as a stranger gets it. Packed, installed outside the workspace with nothing
// but its dependencies, used from JavaScript on each supported Node and from strict TypeScript; then the command line.
// Prints sizes and counts.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { publicPackages } from "./lib/public-packages.mjs";
import { nodeVersions } from "./lib/node-versions.mjs";
import { run, say } from "./lib/say.mjs";
import { build, root } from "./lib/set-up.mjs";

/** What a package did wrong, as against this script. */
class Failure extends Error {}

const only = process.argv.slice(2);

const command = "fencepost";

await build();
const nodes = await nodeVersions();
// Not below a temp root: there the fence is wide.
const folder = mkdtempSync(join(homedir(), ".cache-fencepost-packed-"));
try {
  const tarballs = await packAll();
  const rows = [];
  for (const name of tarballs.keys()) if (only.length === 0 || only.includes(name)) rows.push(await check(name, tarballs));
  if (only.length === 0 || only.includes(command)) rows.push(await checkCommand(tarballs));
  console.log("\npackage      packed    unpacked  packages installed");
  for (const { name, packed, unpacked, installed } of rows) console.log(`${name.padEnd(12)} ${kib(packed)} ${kib(unpacked)} ${String(installed).padStart(5)}`);
  console.log(`\n${rows.length} passed, 0 failed`);
} catch (error) {
  console.error(error instanceof Failure ? error.message : error);
  console.log("\n0 passed, 1 failed");
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function packAll() {
  const tarballs = new Map();
  for (const name of publicPackages()) tarballs.set(name, await pack(name, join(root, "packages", name)));
  return tarballs;
}

async function pack(name, directory) {
  const destination = join(folder, "tarballs", name);
  mkdirSync(destination, { recursive: true });
  await must(`pack ${name}`, "npx", ["-y", "pnpm@12.4.2", "pack", "--pack-destination", destination], directory);
  return join(destination, readdirSync(destination)[0]);
}

/** The command line is not on npm; whoever packs it gets something that works. */
async function checkCommand(tarballs) {
  say(`${command}: installing, then Node ${nodes.map(({ major }) => major).join(", ")}`);
  const tarball = await pack(command, join(root, "apps", command));
  const project = join(folder, command);
  mkdirSync(join(project, "workspace"), { recursive: true });
  write(project, { private: true, dependencies: { [command]: `file:${tarball}` }, overrides: overridesOf(tarballs) });
  await must(`install ${command}`, "npm", ["install", "--no-audit", "--no-fund", "--omit=optional"], project);
  const bin = join("node_modules", command, "bin/fencepost.mjs");
  for (const { major, file } of nodes) {
    const call = (tool, input) => must(`${command} call ${tool} on Node ${major}`, file, [bin, "call", tool, JSON.stringify(input), "--workspace", "workspace"], project);
    await call("write", { path: `${major}.txt`, content: "1\n" });
    await call("bash", { command: `cat ${major}.txt` });
  }
  return { name: command, packed: statSync(tarball).size, unpacked: sizeOf(join(project, "node_modules", command)), installed: installedIn(project) };
}

function overridesOf(tarballs) {
  return Object.fromEntries([...tarballs].map(([name, file]) => [`@fencepost/${name}`, `file:${file}`]));
}

function installedIn(project) {
  return Object.keys(JSON.parse(readFileSync(join(project, "node_modules/.package-lock.json"), "utf8")).packages).length - 1;
}

async function check(name, tarballs) {
  say(`${name}: installing, then Node ${nodes.map(({ major }) => major).join(", ")} and TypeScript`);
  const project = join(folder, name);
  mkdirSync(project);
  const manifest = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
  const ours = Object.keys(manifest.dependencies ?? {}).filter((dependency) => dependency.startsWith("@fencepost/"));
  const overrides = overridesOf(tarballs);
  const direct = Object.fromEntries([name, ...ours.map((dependency) => dependency.slice("@fencepost/".length))].map((other) => [`@fencepost/${other}`, `file:${tarballs.get(other)}`]));
  write(project, { private: true, type: "module", dependencies: direct, overrides });
  await must(`install ${name}`, "npm", ["install", "--no-audit", "--no-fund", "--omit=optional", "--omit=peer"], project);
  const strangers = readdirSync(join(project, "node_modules/@fencepost")).filter((other) => other !== name && !ours.includes(`@fencepost/${other}`));
  if (strangers.length > 0) throw new Failure(`${name} brings ${strangers.join(", ")} of ours, which it does not name`);
  const count = installedIn(project);

  copyFileSync(join(root, "scripts/packed", `${name}.mjs`), join(project, "use.mjs"));
  for (const { major, file } of nodes) await must(`${name} on Node ${major}`, file, ["use.mjs"], project);

  copyFileSync(join(root, "scripts/packed", `${name}.mts`), join(project, "use.mts"));
  const peers = Object.fromEntries(Object.keys(manifest.peerDependencies ?? {}).filter((peer) => peer !== "vitest").map((peer) => [peer, manifest.peerDependencies[peer]]));
  write(project, { private: true, type: "module", dependencies: { ...direct, ...peers }, devDependencies: { typescript: "6.0.3", "@types/node": "^20.19.0" }, overrides });
  await must(`install the types for ${name}`, "npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts"], project);
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--module", "nodenext", "--target", "es2023", "--types", "node", "--noEmit"];
  // With peers the strangers' own declarations are checked too, and not all of theirs hold.
  const libraries = Object.keys(peers).length === 0 ? [] : ["--skipLibCheck"];
  await must(`TypeScript for ${name}`, process.execPath, ["node_modules/typescript/bin/tsc", ...strict, ...libraries, "use.mts"], project);
  return { name, packed: statSync(tarballs.get(name)).size, unpacked: sizeOf(join(project, "node_modules/@fencepost", name)), installed: count };
}

function write(project, manifest) {
  writeFileSync(join(project, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

async function must(title, file, args, cwd) {
  const { code, output } = await run(file, args, { cwd });
  if (code !== 0) throw new Failure(`${title} failed (exit ${code})\n${output}`);
}

function sizeOf(path) {
  if (!existsSync(path)) return 0;
  return readdirSync(path, { recursive: true, withFileTypes: true }).reduce((sum, entry) => sum + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0), 0);
}

function kib(bytes) {
  return `${(bytes / 1024).toFixed(0)} KiB`.padStart(9);
}
