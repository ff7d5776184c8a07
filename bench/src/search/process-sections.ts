import { compare, type BenchLimit, type Contender } from "../harness/index.ts";
import { makeCorpus } from "../corpora/make-corpus.ts";
import { runInChild } from "./child.ts";
import { ripgrep } from "./contenders.ts";
import { patterns } from "./patterns.ts";
import type { Section } from "./report.ts";

const peakTargetMb = 200;
const delayTargetMs = 50;

/** The first search of a process: its threads are not warm yet. */
export const coldSection: Section = {
  name: "cold-medium",
  async run(wants) {
    const root = await makeCorpus("medium");
    const rows = [];
    for (const pattern of patterns.filter(({ name }) => (name === "rare" || name === "no-literal") && wants(name))) {
      let lastMs = 0;
      const ours: Contender = {
        name: "grep, cold",
        run: async () => {
          lastMs = (await runInChild({ root, patterns: [pattern], mode: "count", rounds: 1 })).firstMs;
        },
        lastMs: () => lastMs,
      };
      rows.push(...(await compare({ name: pattern.name, peers: [{ ...ripgrep(root, pattern, "-c"), target: 3 }], ours })));
    }
    return { rows };
  },
};

/** What one process holds, and how free its event loop stays, while it searches the large tree for what is in every line. */
export const memorySection: Section = {
  name: "memory-large",
  async run(wants) {
    const root = await makeCorpus("large");
    const limits: BenchLimit[] = [];
    const tasks = [
      { name: "every-line", patterns: [{ name: "every-line", pattern: "." }], rounds: 2 },
      { name: "all-patterns", patterns, rounds: 1 },
    ];
    for (const task of tasks.filter(({ name }) => wants(name))) {
      const figures = await runInChild({ root, patterns: task.patterns, mode: "content", rounds: task.rounds });
      limits.push(
        { name: `${task.name}: peak memory`, figure: figures.peakBytes / 1024 ** 2, unit: "MB", target: peakTargetMb },
        { name: `${task.name}: event-loop delay, p99`, figure: figures.delayP99Ms, unit: "ms", target: delayTargetMs },
        { name: `${task.name}: event-loop delay, longest`, figure: figures.delayMaxMs, unit: "ms", target: delayTargetMs },
      );
    }
    return { limits };
  },
};
