import type { SearchBackend } from "@fencepost/tools";
import { compare, median, type BenchRow, type Contender, type Peer } from "../harness/index.ts";
import { makeCorpus } from "../corpora/make-corpus.ts";
import type { CorpusName } from "../corpora/recipes.ts";
import { gitGrep, ourGrep, ripgrep, ripgrepJson } from "./contenders.ts";
import { patterns, type BenchPattern } from "./patterns.ts";
import type { Section } from "./report.ts";

/** Against bare ripgrep: the most the median of the patterns may take, and the most any one of them may. */
const medianTargets: Readonly<Record<CorpusName, number>> = { small: 0.7, medium: 1.1, large: 1.2 };
const patternTarget = 1.6;

/** git grep's regex has no alternation of this length. */
const longestForGit = 1000;

/** One section for each corpus and output mode, and one against git, so that each fits into a short quiet time. */
export function grepSections(backend: SearchBackend): readonly Section[] {
  return (["small", "medium", "large"] as const).flatMap((corpus) => [
    section(backend, corpus, "count", (root, pattern) => [judged(ripgrep(root, pattern, "-c"), patternTarget)]),
    section(backend, corpus, "git", (root, pattern) => (pattern.pattern.length < longestForGit ? [gitGrep(root, pattern)] : [])),
    section(backend, corpus, "files", (root, pattern) => [judged(ripgrep(root, pattern, "-l"), patternTarget)]),
    section(backend, corpus, "content", (root, pattern) => [ripgrep(root, pattern, "-n"), judged(ripgrepJson(root, pattern), 1)]),
  ]);
}

function judged(contender: Contender, target: number): Peer {
  return { ...contender, target };
}

function section(backend: SearchBackend, corpus: CorpusName, peerMode: "count" | "git" | "files" | "content", peersOf: (root: string, pattern: BenchPattern) => readonly Peer[]): Section {
  return {
    name: `grep-${corpus}-${peerMode}`,
    async run(wants) {
      const root = await makeCorpus(corpus);
      const rows: BenchRow[] = [];
      const mode = peerMode === "files" ? "files_with_matches" : peerMode === "git" ? "count" : peerMode;
      for (const pattern of patterns.filter(({ name }) => wants(name))) {
        const peers = peersOf(root, pattern);
        if (peers.length > 0) rows.push(...(await compare({ name: pattern.name, peers, ours: ourGrep(backend, root, pattern, mode) })));
      }
      return { rows: peerMode === "count" ? [...rows, overall(rows, medianTargets[corpus])] : rows };
    },
  };
}

function overall(rows: readonly BenchRow[], target: number): BenchRow {
  const ratios = rows.filter((row) => row.peer === "rg -c").map(({ ratio }) => ratio);
  return { name: `median over ${ratios.length} patterns`, peer: "rg -c", peerMs: Number.NaN, oursMs: Number.NaN, ratio: median(ratios), target, peakBytes: undefined };
}
