import { RRegex } from "rregex";
import { expect, it } from "vitest";
import { BitSimulation } from "../../src/regex/automata/bit-simulation.ts";
import { Closures } from "../../src/regex/automata/closure.ts";
import { compileProgram } from "../../src/regex/automata/program.ts";
import { gaveUp } from "../../src/regex/automata/state-table.ts";
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

function answer(pattern: string, text: string): number | undefined {
  const program = compileProgram(compileRegex(pattern).hir);
  const bytes = Buffer.from(text);
  return BitSimulation.of(program, new Closures(program), { anchored: false })?.find(bytes, 0, bytes.length);
}

it(`both simulations find the same first end, and a match where Rust does, with ${patterns} random patterns`, () => {
  const seed = testSeed();
  const random = randomSource(seed);
  const faults: unknown[] = [];
  const gaveUpOn = new Set<string>();
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
        const first = one.find(bytes, from, to);
        if (found[0] === gaveUp || first === gaveUp) {
          gaveUpOn.add(pattern);
          break;
        }
        const matches = first !== -1;
        if (found[0] !== found[1] || (!anchored && matches !== oracle.isMatch(text))) faults.push({ pattern, text, anchored, begin: begin - from, found, matches });
      }
    }
    oracle.free();
  }
  expect({ seed, faults: faults.slice(0, 10) }).toEqual({ seed, faults: [] });
  expect(fitting).toBeGreaterThan(patterns / 2);
  expect(gaveUpOn.size).toBeGreaterThan(patterns / 20);
  expect(gaveUpOn.size).toBeLessThan(patterns / 2);
}, 600_000);

it("of many threads only those that a text needs are kept as bits", () => {
  const looks = "^(?:\\b|\\B|$|(?m:^)|(?m:$)|\\b{start}|\\b{end}|\\b{start-half}|\\b{end-half})(?:a[bc]d[ef]g[hi]j[kl]m[no]p){16}";
  expect(answer("[ab]*a[ab]{200}[cd]", `${"a".repeat(201)}c`)).toBe(202);
  expect(answer("a\\w{200}\\W", `${"a".repeat(201)}!`)).toBe(202);
  expect(answer("a\\w{200}\\W", `a${"é".repeat(200)}!`)).toBe(gaveUp);
  expect(answer(looks, "abdegh")).toBe(-1);
  expect(answer("[ab]*a[ab]{600}[cd]", "")).toBeUndefined();
  expect(answer("(?:a{200}|(?:\\b?){20000})c", "")).toBeUndefined();
});
