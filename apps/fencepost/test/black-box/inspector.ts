import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { World } from "./world.ts";

/** Kept below node_modules: a quarter of a gigabyte that only this test needs is no dependency of the workspace. */
const folder = fileURLToPath(new URL("../../../../node_modules/.fencepost/inspector", import.meta.url));

const inspectorVersion = "2.12.0";

/** The Inspector needs a newer Node than this repository does: npm has its binaries. */
const nodePackage = `${process.platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node"}-${process.platform}-${process.arch}`;

const nodeBinary = join(folder, "node_modules", nodePackage, "bin/node");
const launcher = join(folder, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");

const execute = promisify(execFile);

/** Installs the Inspector and a Node 22 for it, once. */
export async function installInspector(): Promise<void> {
  if (existsSync(nodeBinary) && existsSync(launcher)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  await execute("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", `@modelcontextprotocol/inspector@${inspectorVersion}`, `${nodePackage}@22`], { cwd: folder });
}

export interface Inspected {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** One command line of the Inspector against a server: a command that it starts, or an address. */
export async function inspect(world: World, server: readonly string[], args: readonly string[], signal?: AbortSignal): Promise<Inspected> {
  try {
    const { stdout, stderr } = await execute(nodeBinary, [launcher, "--cli", "--format", "json", ...args, ...server], { cwd: world.base, env: world.env, ...(signal && { signal }) });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = Object.assign({ code: -1, stdout: "", stderr: "" }, error);
    return { code, stdout, stderr };
  }
}
