import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureBubblewrap } from "./bubblewrap.mjs";
import { oneAtATime } from "./one-at-a-time.mjs";
import { giveUp, step } from "./say.mjs";
import { hashOf, readStamp, writeStamp } from "./stamp.mjs";

export const root = fileURLToPath(new URL("../..", import.meta.url));

const pnpmVersion = "12.4.2";
const stampFile = join(root, "node_modules/.fencepost/stamp.json");

/** Everything a bare machine with Node and npm needs before the repository's programs run. What is done is not done again. */
export async function setUp() {
  checkNode();
  await install();
  await build();
  await ensureBubblewrap();
}

function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19)) giveUp(`Fencepost needs Node 20.19 or newer; this is ${process.versions.node}. Install one from https://nodejs.org and try again.`);
}

async function install() {
  const inputs = ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json", ...members().map((member) => `${member}/package.json`)];
  const wanted = `${process.platform}-${process.arch}-${process.versions.modules}-${hashOf(root, inputs)}`;
  const installed = members().every((member) => existsSync(join(root, member, "node_modules")) || !hasDependencies(member));
  if (readStamp(stampFile)?.installed === wanted && installed && existsSync(join(root, "node_modules/.bin/turbo"))) return;
  await step("Installing dependencies", "npx", pnpm("install", "--frozen-lockfile"), { cwd: root, env: { CI: "true", ...ownHeaders() } });
  writeStamp(stampFile, { installed: wanted });
}

/** Where GitHub cannot be reached SQLite is built here. Node's headers lie beside Node: nothing has to be fetched for them. */
function ownHeaders() {
  const prefix = dirname(dirname(process.execPath));
  return existsSync(join(prefix, "include/node/node.h")) ? { npm_config_nodedir: prefix } : {};
}

/** Builds everything where a source or a result of the last build is not as it was. */
export async function build() {
  await oneAtATime(async () => {
    const stamp = readStamp(stampFile);
    const from = sourcesHash();
    if (stamp?.builtFrom === from && stamp.built === resultsHash()) return;
    await step("Building", "npx", pnpm("exec", "turbo", "run", "build", "--output-logs=errors-only", "--no-update-notifier"), {
      cwd: root,
      env: { TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" },
    });
    writeStamp(stampFile, { ...stamp, builtFrom: from, built: resultsHash() });
  });
}

/** Builds the command line alone, from the packages' sources: what its tests need, in a second. */
export async function buildApp() {
  await oneAtATime(async () => {
    const stamp = readStamp(stampFile);
    const from = sourcesHash();
    const app = join(root, "apps/fencepost");
    const built = [stamp?.builtFrom, stamp?.appBuiltFrom].includes(from) && existsSync(join(app, "dist/main.mjs"));
    if (built) return;
    await step("Building the command line", process.execPath, [join(root, "node_modules/tsdown/dist/run.mjs")], { cwd: app });
    writeStamp(stampFile, { ...stamp, appBuiltFrom: from });
  });
}

function sourcesHash() {
  return hashOf(root, ["tsconfig.base.json", "turbo.json", "pnpm-lock.yaml", ...members().flatMap((member) => ["src", "bin", "package.json", "tsdown.config.ts"].map((name) => `${member}/${name}`))]);
}

function resultsHash() {
  return hashOf(root, members().map((member) => `${member}/dist`));
}

/** Arguments for npx that run pnpm. turbo, too, has to be started by it: it looks for pnpm on the path. */
function pnpm(...args) {
  return ["-y", `pnpm@${pnpmVersion}`, ...args];
}

/** The packages and apps of the workspace, relative to the root. */
function members() {
  return ["packages", "apps"].flatMap((folder) =>
    readdirSync(join(root, folder))
      .toSorted()
      .map((name) => `${folder}/${name}`)
      .filter((member) => existsSync(join(root, member, "package.json"))),
  );
}

function hasDependencies(member) {
  const { dependencies = {}, devDependencies = {} } = readStamp(join(root, member, "package.json")) ?? {};
  return Object.keys({ ...dependencies, ...devDependencies }).length > 0;
}
