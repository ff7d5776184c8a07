export interface Alternated {
  readonly name: string;
  run(): unknown;
}

/** Runs all in turn (A B C A B C …), after one round that is not counted. Returns milliseconds by name, round by round. */
export async function alternate(contenders: readonly Alternated[], rounds: number): Promise<(name: string) => readonly number[]> {
  const times = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = -1; round < rounds; round += 1) {
    for (const contender of contenders) {
      const startedAt = performance.now();
      await contender.run();
      if (round >= 0) times.get(contender.name)?.push(performance.now() - startedAt);
    }
  }
  return (name) => {
    const found = times.get(name);
    if (found === undefined) throw new Error(`${name} did not run`);
    return found;
  };
}
