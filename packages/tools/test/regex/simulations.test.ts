import { RRegex } from "rregex";
import { expect, it } from "vitest";
import { BitSimulation } from "../../src/regex/automata/bit-simulation.ts";
import { Closures } from "../../src/regex/automata/closure.ts";
import { compileProgram } from "../../src/regex/automata/program.ts";
import { Simulation } from "../../src/regex/automata/simulation.ts";
import { compileRegex } from "../../src/regex/compile.ts";
import { randomPattern, randomText } from "./random-regex.ts";
import { randomSource, testSeed } from "../random-source.ts";

// Texts of a few characters never make the automaton give up: what it falls back to is asked here by itself.

const patterns = process.env["FENCEPOST_DEEP"] ? 3000 : 300;
const textsAPattern = 20;

function oracleFor(pattern: string): RRegex | undefined {
  try {
    return new RRegex(pattern);
  } catch {
    return undefined;
  }
}

function fits(pattern: string): boolean {
  const program = compileProgram(compileRegex(pattern).hir);
  return BitSimulation.of(program, new Closures(program), { anchored: false }) !== undefined;
}

it(`both simulations find the same first end, and a match where Rust does, with ${patterns} random patterns`, () => {
  const seed = testSeed();
  const random = randomSource(seed);
  const faults: unknown[] = [];
  let fitting = 0;
  for (let checked = 0; checked < patterns; ) {
    const pattern = randomPattern(random);
    const oracle = oracleFor(pattern);
    if (!oracle) continue;
    checked += 1;
    const program = compileProgram(compileRegex(pattern).hir);
    for (const anchored of [false, true]) {
      const one = BitSimulation.of(program, new Closures(program), { anchored });
      const other = new Simulation(program, new Closures(program), { anchored });
      if (!one) continue;
      fitting += 1;
      for (let count = 0; count < textsAPattern; count += 1) {
        const text = randomText(random);
        const bytes = Buffer.from(`${randomText(random)}${text}${randomText(random)}`);
        const from = bytes.indexOf(text);
        const to = from + Buffer.byteLength(text);
        const begin = from + random.below(to - from + 1);
        const found = [one.find(bytes, from, to, undefined, begin), other.find(bytes, from, to, undefined, begin)];
        const matches = one.find(bytes, from, to) !== -1;
        if (found[0] !== found[1] || (!anchored && matches !== oracle.isMatch(text))) faults.push({ pattern, text, anchored, begin: begin - from, found, matches });
      }
    }
    oracle.free();
  }
  expect({ seed, faults: faults.slice(0, 10) }).toEqual({ seed, faults: [] });
  expect(fitting).toBeGreaterThan(patterns / 2);
}, 600_000);

it("many threads, many looks or many nodes are left to the simulation that goes from thread to thread", () => {
  expect(fits("[ab]*a[ab]{200}[cd]")).toBe(true);
  expect(fits("[ab]*a[ab]{300}[cd]")).toBe(false);
  expect(fits("^(?:\\b|\\B|$|(?m:^)|(?m:$)|\\b{start}|\\b{end}|\\b{start-half}|\\b{end-half})(?:a[bc]d[ef]g[hi]j[kl]m[no]p){16}")).toBe(false);
  expect(fits("(?:(?:){3}|a?)(?:\\b?){20000}")).toBe(false);
});
