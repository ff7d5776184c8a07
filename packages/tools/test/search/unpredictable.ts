import { randomSource } from "../random-source.ts";

const period = 65_536;

/** A line on which the automaton of a pattern that looks far back never comes to an end of its states. At least so many bytes. */
export function unpredictable(bytes: number): Buffer {
  const random = randomSource(5);
  return Buffer.from(Array.from({ length: period }, () => random.of(["a", "b"])).join("").repeat(Math.ceil(bytes / period)));
}
