import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { step } from "./say.mjs";
import { root } from "./set-up.mjs";

const majors = [20, 22, 24];

/** A binary of each Node that is supported: this process's own, and npm's packages for the others. */
export async function nodeVersions() {
  const own = Number(process.versions.node.split(".")[0]);
  const found = [];
  for (const major of majors) found.push({ major, file: major === own ? process.execPath : await binary(major) });
  return found;
}

async function binary(major) {
  const name = `${process.platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node"}-${process.platform}-${process.arch}`;
  const folder = join(root, "node_modules/.fencepost", `node-${major}`);
  const file = join(folder, "node_modules", name, "bin/node");
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  await step(`Getting Node ${major} from npm`, "npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", `${name}@${major}`], { cwd: folder });
  return file;
}
