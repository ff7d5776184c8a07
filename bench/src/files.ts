import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { resolveEnvironment, SandboxPolicy } from "@fencepost/sandbox";
import { builtinRegistry, createLocalFileWork, createObservations, defaultToolOptions, diffLines, type FileSystem, type SessionContext } from "@fencepost/tools";
import { currentPeakBytes, figureAlone, interleave, median, renderTable, type BenchRow, type Contender } from "./harness/index.ts";

const lineBytes = 100;

/** The most memory that a process may hold which reads the last page of 1 GB and does nothing else. */
const mostPeakBytes = 90 * 1024 ** 2;

/**
 * Files: calls on small ones, line diffs, and reading to the end of a large one. `--short`: 100 MB instead of 1 GB.
 * `--only calls,diffs,large` runs parts.
 */
export async function run(args: readonly string[]): Promise<void> {
  if (args[0] === readAlone) return readOnly(args[1] ?? "", Number(args[2]));
  const root = mkdtempSync(join(homedir(), ".fencepost-bench-"));
  const megabytes = args.includes("--short") ? 100 : 1000;
  const only = args.includes("--only") ? (args[args.indexOf("--only") + 1] ?? "").split(",") : ["calls", "diffs", "large"];
  try {
    const tools = openTools(root);
    // The long part last, and each part as soon as it is known.
    if (only.includes("calls")) console.log(await smallCalls(tools));
    if (only.includes("diffs")) console.log(renderTable(await diffs(root)));
    if (only.includes("large")) console.log(renderTable(await largeReads(tools, megabytes)));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const readAlone = "--read-alone";

/** One read in a process of its own, which tells how much memory it took. */
async function readOnly(path: string, offset: number): Promise<void> {
  const root = mkdtempSync(join(homedir(), ".fencepost-bench-"));
  try {
    await openTools(root).call("read", { path, offset });
    console.log(currentPeakBytes());
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const unused = (): Promise<never> => Promise.reject(new Error("this benchmark only uses files"));
const nothing = (): Promise<void> => Promise.resolve();
const never = (): boolean => false;

interface Tools {
  readonly workspace: string;
  readonly call: (tool: string, input: object) => Promise<string>;
  /** The same, with syncs that do nothing: what the disk takes for them is measured apart. */
  readonly callUnsynced: (tool: string, input: object) => Promise<string>;
}

function openTools(root: string): Tools {
  const workspace = join(root, "work");
  const home = join(root, "home");
  for (const directory of [workspace, home]) mkdirSync(directory);
  const environment = resolveEnvironment({ workspaceRoot: workspace, env: { HOME: home } });
  const policy = new SandboxPolicy({ mode: "auto", workspaceRoot: workspace, grants: [], environment, network: "host" });
  const { fileSystem, writeLocks, journal } = createLocalFileWork(environment.stateHome);
  const session = (files: FileSystem): SessionContext => ({
    sessionId: "bench",
    workingDirectory: workspace,
    sandbox: { available: true },
    escalation: "possible",
    environment: {},
    fileSystem: files,
    processes: { start: unused },
    search: { grep: unused, glob: unused, close: () => Promise.resolve() },
    spill: undefined,
    observations: createObservations(),
    writeLocks,
    journal,
    options: defaultToolOptions,
  });
  let calls = 0;
  const caller = (files: FileSystem): Tools["call"] => {
    const toolset = builtinRegistry().finalize({ tools: ["read", "write", "edit"] }, session(files));
    return async (toolId, input) => {
      const result = await toolset.call({ toolId, input }, { callId: `call-${++calls}`, signal: new AbortController().signal, progress: () => undefined, policy });
      const text = result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
      if (result.status !== "succeeded") throw new Error(text);
      return text;
    };
  };
  return { workspace, call: caller(fileSystem), callUnsynced: caller(withoutSync(fileSystem)) };
}

function withoutSync(fileSystem: FileSystem): FileSystem {
  return { ...fileSystem, syncDirectory: nothing, open: async (path, mode, permissions) => ({ ...(await fileSystem.open(path, mode, permissions)), sync: nothing }) };
}

async function largeReads({ workspace, call }: Tools, megabytes: number): Promise<readonly BenchRow[]> {
  const path = join(workspace, "large.txt");
  const lines = makeLarge(path, megabytes);
  const peak = figureAlone(import.meta.url, [readAlone, path, `${lines - 100}`]);
  const ours: Contender = { name: "read", run: () => call("read", { path, offset: lines - 100 }), peakBytes: () => peak };
  console.log(`peak memory of a process that only reads the last page: ${Math.round(peak / 1024 ** 2)} MB, target <= ${mostPeakBytes / 1024 ** 2} MB${peak <= mostPeakBytes ? "" : "  MISSED"}`);
  const name = `last page of ${megabytes} MB, ${lines} lines`;
  const against = (program: string, rest: readonly string[], target: number): Promise<BenchRow> =>
    interleave({ name, peer: { name: [program, ...rest].join(" "), run: () => succeed(program, [...rest, path]) }, ours, target });
  const rows = [await against("openssl", ["sha256"], 1.4), await against("sha256sum", [], 1), await against("wc", ["-l"], 8)];
  rmSync(path);
  return rows;
}

function makeLarge(path: string, megabytes: number): number {
  const file = openSync(path, "w");
  const block = `${"x".repeat(lineBytes - 1)}\n`.repeat(10_000);
  for (let written = 0; written < megabytes; written++) writeSync(file, block);
  closeSync(file);
  return megabytes * 10_000;
}

function source(count: number, mark: (index: number) => boolean, changed: string): string {
  return Array.from({ length: count }, (_, index) => (mark(index) ? `${changed} ${index}\n` : `const value${index % 4000} = compute(${index % 977});\n`)).join("");
}

function numbered(count: number, every: number, changed: string): string {
  return Array.from({ length: count }, (_, index) => `${index % every === 0 ? changed : "line"} ${index}\n`).join("");
}

/** The cases in which line diffs differ most: few edits, many, a full rewrite, many distinct lines. */
async function diffs(root: string): Promise<readonly BenchRow[]> {
  const lines = 26_000;
  const base = source(lines, never, "");
  const cases: readonly (readonly [string, string, string])[] = [
    ["1 edit", base, source(lines, (index) => index === 13_000, "new")],
    ["50 edits", base, source(lines, (index) => index % 520 === 0, "new")],
    ["1,000 edits", base, source(lines, (index) => index % 26 === 0, "new")],
    ["full rewrite", base, source(lines, () => true, "entirely other text at")],
    ["20,000 unique lines, 2,000 edits", numbered(20_000, 10, "old"), numbered(20_000, 10, "new")],
    ["70,000 unique lines, 70 edits", numbered(70_000, 1000, "old"), numbered(70_000, 1000, "new")],
  ];
  const [left, right] = [join(root, "left"), join(root, "right")];
  const rows: BenchRow[] = [];
  for (const [name, before, after] of cases) {
    writeFileSync(left, before);
    writeFileSync(right, after);
    const ours = diffLines(before, after);
    const gits = numstat(left, right);
    const counts = gits === `${ours.additions} ${ours.deletions}` ? "counts equal" : `counts ${ours.additions} ${ours.deletions}, git ${gits}`;
    rows.push(
      await interleave({
        name: `diff: ${name}, ${counts}`,
        peer: { name: "git diff --no-index", run: () => numstat(left, right) },
        ours: { name: "diffLines", run: () => diffLines(before, after) },
        target: 4,
      }),
    );
  }
  return rows;
}

function numstat(left: string, right: string): string {
  const { stdout } = spawnSync("git", ["diff", "--no-index", "--numstat", left, right], { encoding: "utf8" });
  return stdout.split("\t").slice(0, 2).join(" ");
}

/** Rounds that are not counted: the first calls of a process run code that is not compiled yet. */
const warmUpRounds = { reads: 100, edits: 25 } as const;

/** A read is short, so it takes many. */
const countedRounds = { reads: 400, edits: 51 } as const;

async function smallCalls({ workspace, call, callUnsynced }: Tools): Promise<string> {
  const small = join(workspace, "small.ts");
  writeFileSync(small, "export const value = compute(1);\n".repeat(2000));
  const large = join(workspace, "mebibyte.txt");
  writeFileSync(large, Array.from({ length: 26_000 }, (_, index) => `const value${index} = compute(${index % 977});\n`).join("").slice(0, 1024 * 1024 - 4096));
  const reads = (await times(warmUpRounds.reads + countedRounds.reads, () => call("read", { path: small }))).slice(warmUpRounds.reads);
  const edits = async (use: Tools["call"]): Promise<readonly number[]> => {
    await use("read", { path: large });
    const found = await times(warmUpRounds.edits + countedRounds.edits, (round) => use("edit", { filePath: large, oldString: `const value${13_000 + round} =`, newString: `const value${13_000 + round}  =` }));
    return found.slice(warmUpRounds.edits);
  };
  const unsynced = await edits(callUnsynced);
  writeFileSync(large, readFileSync(large, "utf8").replaceAll("  =", " ="));
  const synced = await edits(call);
  writeFileSync(small, Array.from({ length: 2000 }, (_, index) => `export const value${index} = 1;\n`).join(""));
  await callUnsynced("read", { path: small });
  const session = await times(200, (round) => callUnsynced("edit", { filePath: small, oldString: `value${round} =`, newString: `changed${round} =` }));
  return [
    line("read of 2,000 lines", median(reads), 2),
    line("edit in 1 MiB without fsync", median(unsynced), 25),
    `edit in 1 MiB with fsync: ${median(synced).toFixed(2)} ms (no target: it is the disk's)`,
    `200 edits of one file: first 50 ${median(session.slice(0, 50)).toFixed(2)} ms, last 50 ${median(session.slice(150)).toFixed(2)} ms`,
  ].join("\n");
}

async function times(rounds: number, work: (round: number) => unknown): Promise<readonly number[]> {
  const found: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    await work(round);
    found.push(performance.now() - startedAt);
  }
  return found;
}

function line(name: string, milliseconds: number, target: number): string {
  return `${name}: ${milliseconds.toFixed(2)} ms, target <= ${target} ms${milliseconds <= target ? "" : "  MISSED"}`;
}

function succeed(program: string, args: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw error ?? new Error(`${program} exited ${status}`);
}
