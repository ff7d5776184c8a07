import { currentPeakBytes, resetPeak } from "./peak-memory.ts";
import type { BenchRow, Comparison, Contender, Peer } from "./case.ts";
import { median } from "./median.ts";

const leastRounds = 11;

/**
 * Runs the peers and ours in turn, after one round that is not counted. A noisy machine is noisy for all: only the
 * ratio within a round is judged.
 */
export async function compare({ name, peers, ours, rounds = leastRounds }: Comparison): Promise<readonly BenchRow[]> {
  for (const contender of [...peers, ours]) await contender.run();
  const peerTimes = peers.map((): number[] => []);
  const ourTimes: number[] = [];
  let peak: number | undefined;
  for (let round = 0; round < Math.max(rounds, leastRounds); round += 1) {
    for (const [index, peer] of peers.entries()) peerTimes[index]?.push(await timed(peer));
    resetPeak();
    ourTimes.push(await timed(ours));
    const bytes = ours.peakBytes?.() ?? currentPeakBytes();
    if (bytes !== undefined) peak = Math.max(peak ?? 0, bytes);
  }
  return peers.map((peer, index) => {
    const times = peerTimes[index] ?? [];
    const ratios = ourTimes.map((time, round) => time / (times[round] ?? Number.NaN));
    return { name, peer: peer.name, peerMs: median(times), oursMs: median(ourTimes), ratio: median(ratios), target: peer.target, peakBytes: peak };
  });
}

/** `compare` with one peer. */
export async function interleave({ peer, target, ...rest }: Omit<Comparison, "peers"> & { readonly peer: Contender; readonly target: number }): Promise<BenchRow> {
  const judged: Peer = { ...peer, run: () => peer.run(), target };
  const [row] = await compare({ ...rest, peers: [judged] });
  if (!row) throw new Error(`${rest.name} has no peer`);
  return row;
}

async function timed(contender: Contender): Promise<number> {
  const startedAt = performance.now();
  await contender.run();
  return contender.lastMs?.() ?? performance.now() - startedAt;
}
