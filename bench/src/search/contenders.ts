import { spawn } from "node:child_process";
import type { GrepRequest, SearchBackend, SearchScope } from "@fencepost/tools";
import type { Contender } from "../harness/index.ts";
import type { BenchPattern } from "./patterns.ts";

/** What the grep tool shows and keeps at most. */
const maxLines = 250;
const maxListBytes = 64 * 1024 * 1024;

export function scopeOf(root: string): SearchScope {
  return { root, rootKind: "directory", shownPrefix: "", ignoreBoundary: root, excludedPaths: [], skippedDirectories: [], includeHidden: false, budget: {}, deadline: Infinity, signal: new AbortController().signal };
}

/** Our search of a tree, its results taken as the grep tool takes them. */
export function ourGrep(backend: SearchBackend, root: string, { pattern, ignoreCase = false, multiline = false }: BenchPattern, mode: GrepRequest["mode"], rootKind: "directory" | "file" = "directory"): Contender {
  const request: GrepRequest = { ...scopeOf(root), rootKind, pattern, ignoreCase, glob: undefined, mode, multiline, contextLines: 0, maxLinesAFile: 50, maxLineBytes: 2000 };
  return {
    name: `grep, ${mode}`,
    run: async () => {
      let lines = 0;
      let listed = 0;
      await backend.grep(request, {
        file: (found) => {
          lines += Math.max(1, found.lines.length);
        },
        list: (bytes) => {
          listed += bytes.length;
        },
        linesFull: () => lines >= maxLines,
        listFull: () => listed >= maxListBytes,
      });
    },
  };
}

export const ripgrepFlags = ["--no-config", "--no-require-git", "--no-ignore-parent", "--no-ignore-global", "-j2"] as const;

export function ripgrep(root: string, { pattern, ignoreCase = false }: BenchPattern, mode: "-c" | "-l" | "-n"): Contender {
  return spawned(`rg ${mode}`, "rg", [...ripgrepFlags, ...(ignoreCase ? ["-i"] : []), mode, "-e", pattern, root]);
}

/** As a tool would run it: lines as JSON, every message parsed. */
export function ripgrepJson(root: string, { pattern, ignoreCase = false }: BenchPattern): Contender {
  return spawned("rg --json, parsed", "rg", [...ripgrepFlags, ...(ignoreCase ? ["-i"] : []), "--json", "-e", pattern, root], { parses: true });
}

export function gitGrep(root: string, { pattern, ignoreCase = false }: BenchPattern): Contender {
  return spawned("git grep -c", "git", ["-C", root, "grep", "-c", "-P", ...(ignoreCase ? ["-i"] : []), "-e", pattern]);
}

/** A program, awaited; its output is read to the end, and its messages parsed as they come where that is asked. */
export function spawned(name: string, program: string, args: readonly string[], { parses = false, env = process.env }: { readonly parses?: boolean; readonly env?: NodeJS.ProcessEnv } = {}): Contender {
  const run = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = spawn(program, args, { stdio: ["ignore", "pipe", "ignore"], env });
      let rest = "";
      if (parses) child.stdout.setEncoding("utf8");
      child.stdout.on("data", (chunk: string | Buffer) => {
        if (typeof chunk === "string") rest = parseLines(rest + chunk);
      });
      child.once("error", reject);
      child.once("close", (code) => (code === null || code > 1 ? reject(new Error(`${name} ended with ${code}`)) : resolve()));
    });
  return { name, run };
}

/** Parses whole lines; returns what is left. */
function parseLines(text: string): string {
  const lines = text.split("\n");
  const rest = lines.pop() ?? "";
  for (const line of lines) JSON.parse(line);
  return rest;
}
