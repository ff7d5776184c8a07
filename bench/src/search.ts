import { spawnSync } from "node:child_process";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createLocalSearchBackend, type GrepRequest, type SearchScope } from "@fencepost/tools";
import { interleave, renderTable, type BenchRow, type Contender } from "./harness/index.ts";

interface Pattern {
  readonly name: string;
  readonly pattern: string;
  readonly ignoreCase?: boolean;
}

const patterns: readonly Pattern[] = [
  { name: "literal, rare", pattern: "createRequireFromPath" },
  { name: "literal, none", pattern: "zzqqxxyy" },
  { name: "literal, everywhere", pattern: "return" },
  { name: "literal, any case", pattern: "readfilesync", ignoreCase: true },
  { name: "alternation", pattern: "readFileSync|writeFileSync|existsSync|mkdirSync" },
  { name: "anchored", pattern: "^export default" },
  { name: "literal and \\w+", pattern: "process\\.env\\.\\w+" },
  { name: "no literal", pattern: "[A-Za-z]+_[0-9]{4}_[a-z]+" },
  { name: "Unicode words", pattern: "\\b\\w{25,}\\b" },
  { name: "5,000 words", pattern: Array.from({ length: 5000 }, (_, index) => `w${(index * 7919).toString(36)}x`).join("|") },
];

/** The most a single pattern may take, as a multiple of ripgrep's time, and the delay of the event loop allowed. */
const patternTarget = 1.6;
const globTarget = 1.3;
const delayTargetMs = 50;

const ripgrepFlags = ["--no-config", "--no-require-git", "--no-ignore-parent", "--no-ignore-global", "-j2"];

/** Search against ripgrep and git grep. Arguments: the directories to search; default: this repository's packages. */
export async function run(args: readonly string[]): Promise<void> {
  const roots = args.length > 0 ? args : [`${process.env["FENCEPOST_ROOT"] ?? "."}/node_modules/.pnpm`];
  const backend = createLocalSearchBackend();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  for (const root of roots) {
    const rows: BenchRow[] = [];
    delay.enable();
    for (const pattern of patterns) {
      const ours: Contender = { name: "grep", run: () => backend.grep(grepRequest(root, pattern), { file: () => undefined, list: () => undefined, linesFull: () => true, listFull: () => true }) };
      const flags = pattern.ignoreCase === true ? ["-i"] : [];
      rows.push(await interleave({ name: pattern.name, peer: spawned("rg -c", ["rg", ...ripgrepFlags, ...flags, "-c", "-e", pattern.pattern, root]), ours, target: patternTarget }));
      if (pattern.pattern.length < 1000) rows.push(await interleave({ name: pattern.name, peer: spawned("rg --json", ["rg", ...ripgrepFlags, ...flags, "--json", "-e", pattern.pattern, root], parseLines), ours, target: 1 }));
    }
    const glob: Contender = { name: "glob", run: () => backend.glob({ ...scope(root), pattern: "**/*", maxNewest: 100 }, { list: () => undefined, listFull: () => true }) };
    const listed = `rg ${ripgrepFlags.join(" ")} --files -0 ${JSON.stringify(root)} | xargs -0 stat -c '%Y %n' | sort -rn | head -100`;
    rows.push(await interleave({ name: "100 newest files", peer: spawned("rg --files | stat | sort", ["sh", "-c", listed]), ours: glob, target: globTarget }));
    delay.disable();
    console.log(`${root}\n${renderTable(rows)}\nevent-loop delay p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms, target <= ${delayTargetMs} ms (our own waiting for spawned peers included)`);
    delay.reset();
  }
  await backend.close();
}

function scope(root: string): SearchScope {
  return { root, rootKind: "directory", shownPrefix: "", ignoreBoundary: root, excludedPaths: [], skippedDirectories: [], includeHidden: false, budget: {}, timeoutMs: 60_000, signal: new AbortController().signal };
}

function grepRequest(root: string, { pattern, ignoreCase = false }: Pattern): GrepRequest {
  return { ...scope(root), pattern, ignoreCase, glob: undefined, mode: "count", multiline: false, contextLines: 0, maxLinesAFile: 50, maxLineBytes: 2000 };
}

function spawned(name: string, [program = "", ...args]: readonly string[], use: (output: string) => unknown = () => undefined): Contender {
  return { name, run: () => use(spawnSync(program, args, { maxBuffer: 2 ** 30 }).stdout?.toString() ?? "") };
}

function parseLines(output: string): number {
  return output.split("\n").filter(Boolean).map((line) => JSON.parse(line) as unknown).length;
}
