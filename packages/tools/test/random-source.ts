/** Chance from a seed, so that a failure can be run again. */
export interface RandomSource {
  below(limit: number): number;
  of<T>(choices: readonly T[]): T;
}

export function randomSource(seed: number): RandomSource {
  let state = seed >>> 0 || 1;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, of: (choices) => choices[below(choices.length)]! };
}

/** FENCEPOST_TEST_SEED; without it always the same in a plain run, and another in each deep one. */
export function testSeed(): number {
  return Number(process.env["FENCEPOST_TEST_SEED"] ?? (process.env["FENCEPOST_DEEP"] ? Date.now() % 1_000_000 : 1));
}
