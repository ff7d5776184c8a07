import { currentPeakBytes, resetPeak } from "./peak-memory.ts";
import type { BenchCase, BenchRow, Contender } from "./case.ts";
import { median } from "./median.ts";

const leastRounds = 11;

/**
 * Runs peer and ours in turn (A B A B …), after one round of each that is not counted. A noisy machine is noisy for
 * both: only the ratio within a round is judged.
 */
export async function interleave({ name, peer, ours, target, rounds = leastRounds }: BenchCase): Promise<BenchRow> {
  await peer.run();
  await ours.run();
  const peerTimes: number[] = [];
  const ourTimes: number[] = [];
  let peak: number | undefined;
  for (let round = 0; round < Math.max(rounds, leastRounds); round += 1) {
    peerTimes.push(await timed(peer));
    resetPeak();
    ourTimes.push(await timed(ours));
    const bytes = ours.peakBytes?.() ?? currentPeakBytes();
    if (bytes !== undefined) peak = Math.max(peak ?? 0, bytes);
  }
  const ratios = ourTimes.map((time, round) => time / (peerTimes[round] ?? Number.NaN));
  return { name, peer: peer.name, peerMs: median(peerTimes), oursMs: median(ourTimes), ratio: median(ratios), target, peakBytes: peak };
}

async function timed(contender: Contender): Promise<number> {
  const startedAt = performance.now();
  await contender.run();
  return performance.now() - startedAt;
}
