import { execFileSync, spawnSync } from "node:child_process";
import { afterAll } from "vitest";
import { createLocalSearchBackend } from "../../src/search/local/local-search-backend.ts";
import type { GrepRequest } from "../../src/search/search-backend.ts";
import { grepRequestOf, heedless, searchScopeOf } from "../../src/testing/search-request.ts";

const backend = createLocalSearchBackend();
afterAll(() => backend.close());

/** Our files below a directory, sorted. */
export async function ourFiles(root: string): Promise<readonly string[]> {
  const pieces: Uint8Array[] = [];
  await backend.glob({ ...searchScopeOf(root), pattern: "**/*", maxNewest: 1 }, { ...heedless, list: (bytes) => pieces.push(bytes.slice()) });
  return Buffer.concat(pieces).toString().split("\n").filter(Boolean).toSorted();
}

/** Our matching lines as `path:line:text`, in walk order. */
export async function ourLines(root: string, pattern: string, extra: Partial<GrepRequest> = {}): Promise<readonly string[]> {
  const pieces: Uint8Array[] = [];
  await backend.grep(grepRequestOf(root, pattern, extra), { ...heedless, list: (bytes) => pieces.push(bytes.slice()), linesFull: () => true });
  return Buffer.concat(pieces).toString("utf8").split("\n").filter(Boolean);
}

/** Our matching lines of each file as `path:count`. */
export async function ourCounts(root: string, pattern: string): Promise<readonly string[]> {
  const found: string[] = [];
  await backend.grep(grepRequestOf(root, pattern, { mode: "count" }), { ...heedless, file: ({ path, matchingLines }) => found.push(`${path}:${matchingLines}`) });
  return found;
}

/** What git would add: the root must be a repository with nothing tracked. Without hidden entries and links. */
export function gitFiles(root: string): readonly string[] {
  const output = execFileSync("git", ["-c", "core.excludesFile=/dev/null", "ls-files", "-z", "--others", "--exclude-standard"], { cwd: root, env: { PATH: process.env["PATH"], HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" }, maxBuffer: 1 << 28 });
  return shown(output);
}

const ripgrepFlags = ["--no-config", "--threads=1", "--no-require-git", "--no-ignore-parent", "--no-ignore-global"];

export function ripgrepFiles(root: string): readonly string[] {
  return shown(spawnSync("rg", [...ripgrepFlags, "--files", "--null", "."], { cwd: root, maxBuffer: 1 << 28 }).stdout, "./");
}

export function ripgrepLines(root: string, pattern: string, flags: readonly string[] = []): readonly string[] {
  const { stdout, status, stderr } = spawnSync("rg", [...ripgrepFlags, "--crlf", "--no-heading", "--with-filename", "--line-number", "--color=never", "--no-mmap", ...flags, "-e", pattern, "."], { cwd: root, maxBuffer: 1 << 29 });
  if (status === 2 && stdout.length === 0) throw new Error(stderr.toString());
  return stdout.toString("utf8").split("\n").filter(Boolean).map((line) => line.slice(2).replace(/\r$/u, "")).filter((line) => !/: WARNING: stopped searching binary file after match/u.test(line));
}

export function ripgrepCounts(root: string, pattern: string): readonly string[] {
  const { stdout } = spawnSync("rg", [...ripgrepFlags, "--crlf", "--count", "--with-filename", "--color=never", "--no-mmap", "-e", pattern, "."], { cwd: root, maxBuffer: 1 << 28 });
  return stdout.toString().split("\n").filter(Boolean).map((line) => line.slice(2).replace(/\r$/u, ""));
}

function shown(output: Buffer, prefix = ""): readonly string[] {
  return output.toString().split("\0").filter(Boolean).map((path) => (path.startsWith(prefix) ? path.slice(prefix.length) : path)).filter((path) => !path.split("/").some((name) => name.startsWith("."))).toSorted();
}
