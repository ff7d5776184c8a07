import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SearchBackend } from "@fencepost/tools";
import { compileRegex } from "../../../packages/tools/src/regex/compile.ts";
import { hostilePatterns, hostileText } from "../../../packages/tools/test/regex/hostile-patterns.ts";
import { compare, type BenchLimit, type Contender } from "../harness/index.ts";
import { ourGrep, ripgrep } from "./contenders.ts";
import { blowUp } from "./patterns.ts";
import type { Section } from "./report.ts";

const megabyte = 1_000_000;
const mostSeconds = 0.6;

/** What doubling the text may cost. Below `leastMs` a time is the search's start, not its text: then the text is made longer. */
const mostGrowth = 2.5;
const leastMs = 20;
const mostBytes = 16 * megabyte;

/** The best of so many: what disturbs only ever adds. */
const tries = 3;

/** The state blow-up pattern on one line and on many, of letters no automaton can foresee. */
export function blowUpSection(backend: SearchBackend): Section {
  return {
    name: "blow-up",
    run: (wants) =>
      inDirectory(async (directory) => {
        const limits: BenchLimit[] = [];
        const rows = [];
        for (const [name, lineBytes] of [["one-line", megabyte], ["lines", 80]] as const) {
          if (!wants(name)) continue;
          const path = join(directory, `${name}.txt`);
          writeFileSync(path, letters(megabyte, lineBytes));
          const pattern = { name, pattern: blowUp };
          const ours = ourGrep(backend, path, pattern, "count", "file");
          rows.push(...(await compare({ name, peers: [ripgrep(path, pattern, "-c")], ours })));
          limits.push({ name: `${name}, 1 MB`, figure: (rows.at(-1)?.oursMs ?? 0) / 1000, unit: "s", target: mostSeconds });
        }
        return { rows, limits };
      }),
  };
}

/**
 * Each hostile pattern on its own text in one line, 1 MB and as much as can be timed, and twice that: by the whole search, which looks for something that
 * every match contains first, and by the engine alone, which reads every byte.
 */
export function hostileSections(backend: SearchBackend): readonly Section[] {
  return [
    section("hostile", (path, pattern) => ourGrep(backend, path, { name: pattern, pattern, multiline: pattern.includes("\\n") }, "count", "file")),
    section("engine-hostile", (path, pattern) => {
      const regex = compileRegex(pattern, { multiLine: true, withinLine: !pattern.includes("\\n") });
      const text = readFileSync(path);
      return { name: pattern, run: () => regex.findEnd(text, 0, text.length) };
    }),
  ];
}

function section(name: string, contender: (path: string, pattern: string) => Contender): Section {
  return {
    name,
    run: (wants) =>
      inDirectory(async (directory) => {
        const limits: BenchLimit[] = [];
        for (const [index, hostile] of hostilePatterns.entries()) {
          const { pattern } = hostile;
          if (!wants(String(index + 1))) continue;
          const timed = async (bytes: number): Promise<number> => {
            const path = join(directory, `${bytes}.txt`);
            writeFileSync(path, hostileText(hostile, bytes));
            return best(contender(path, pattern));
          };
          let bytes = megabyte;
          const first = await timed(bytes);
          let single = first;
          while (single < leastMs && bytes < mostBytes) single = await timed((bytes *= 2));
          const double = await timed(2 * bytes);
          const shown = `${index + 1}  ${pattern.length > 50 ? `${pattern.slice(0, 49)}…` : pattern}`;
          limits.push({ name: shown, figure: first / 1000, unit: "s", target: mostSeconds }, { name: `    ${(2 * bytes) / megabyte} MB to ${bytes / megabyte}`, figure: double / single, unit: "times", target: mostGrowth });
        }
        return { limits };
      }),
  };
}

async function best(contender: Contender): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < tries; round += 1) {
    const startedAt = performance.now();
    await contender.run();
    least = Math.min(least, performance.now() - startedAt);
  }
  return least;
}

/** How far before the pattern's last letter its `a` stands: with a `b` there, a `c` at the end is no match. */
const lookBackBytes = 21;

const bytesAnAlmostMatch = 80;

/** Letters a and b in an order that repeats nowhere near, in lines, all of which almost match: no search beforehand rules them out. */
function letters(bytes: number, lineBytes: number): Buffer {
  const text = hostileText({ pattern: blowUp, unit: "ab", mixed: true }, bytes);
  for (let index = bytesAnAlmostMatch - 2; index < text.length; index += bytesAnAlmostMatch) {
    text.write("c", index);
    text.write("b", index - lookBackBytes);
  }
  for (let index = lineBytes - 1; index < text.length; index += lineBytes) text[index] = 10;
  return text;
}

async function inDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "fencepost-bench-"));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
