import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { recipes, type CorpusName } from "./recipes.ts";

const execute = promisify(execFile);

/** Packages are fetched so many at a time. */
const fetchesAtOnce = 4;

/** Nothing of the user's own setup shapes the tree. */
const gitEnvironment = { ...process.env, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };

/** The directory of a corpus: a repository with everything added. Made from the npm registry where it is missing. */
export async function makeCorpus(name: CorpusName): Promise<string> {
  const cache = join(process.env["FENCEPOST_ROOT"] ?? ".", ".cache/corpora");
  const corpus = join(cache, name);
  if (existsSync(corpus)) return corpus;
  console.log(`> Making the ${name} corpus in ${corpus} …`);
  mkdirSync(join(cache, "packages"), { recursive: true });
  const unfinished = mkdtempSync(join(cache, `${name}-`));
  try {
    await fill(unfinished, name, join(cache, "packages"));
    renameSync(unfinished, corpus);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return corpus;
}

async function fill(directory: string, name: CorpusName, archives: string): Promise<void> {
  const { packages, ignoreFiles } = recipes[name];
  const waiting = [...packages];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await unpack(next, directory, archives);
  };
  await Promise.all(Array.from({ length: fetchesAtOnce }, worker));
  for (const [path, text] of Object.entries(ignoreFiles)) writeFileSync(join(directory, path), text);
  settle(directory, "");
  await execute("git", ["init", "-q"], { cwd: directory, env: gitEnvironment });
  await execute("git", ["-c", "core.fsync=none", "-c", "core.autocrlf=false", "-c", "gc.auto=0", "add", "-A"], { cwd: directory, env: gitEnvironment, maxBuffer: 2 ** 28 });
}

async function unpack(wanted: string, directory: string, archives: string): Promise<void> {
  const at = wanted.lastIndexOf("@");
  const [name, version] = [wanted.slice(0, at), wanted.slice(at + 1)];
  const archive = join(archives, `${name.replace(/^@/u, "").replace("/", "-")}-${version}.tgz`);
  // npm checks what it fetches against the registry's hash.
  if (!existsSync(archive)) await execute("npm", ["pack", "--silent", "--pack-destination", archives, wanted], { cwd: archives });
  const target = join(directory, name);
  mkdirSync(target, { recursive: true });
  await execute("tar", ["-xzf", archive, "-C", target, "--strip-components=1", "--no-same-owner"]);
}

/** Gives each file a time of its own (packages have one for all of theirs) that is the same on every machine. */
function settle(root: string, below: string): void {
  for (const entry of readdirSync(join(root, below), { withFileTypes: true })) {
    const path = join(below, entry.name);
    if (entry.isDirectory()) {
      chmodSync(join(root, path), 0o755);
      settle(root, path);
    } else if (entry.isFile()) {
      chmodSync(join(root, path), 0o644);
      const seconds = 1_600_000_000 + hash(`${dirname(path)}/${entry.name}`) / 100;
      utimesSync(join(root, path), seconds, seconds);
    }
  }
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ character.charCodeAt(0), 0x01000193) >>> 0;
  return value;
}
