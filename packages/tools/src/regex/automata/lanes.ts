/** Places of a text that are read side by side. */
export const laneCount = 4;

/**
 * Reads `length` bytes from each of the `starts` in lockstep, from the `from`th on, until one of them comes to an entry
 * of the table that is no state. Returns how far all have come; `states` are those before that byte. A look-up waits
 * for the one before it: four that do not wait for each other take little longer than one.
 */
export function runLanes(table: Int32Array, bytes: Uint8Array, starts: Int32Array, states: Int32Array, from: number, length: number): number {
  const first = starts[0]!;
  const second = starts[1]!;
  const third = starts[2]!;
  const fourth = starts[3]!;
  let one = states[0]!;
  let two = states[1]!;
  let three = states[2]!;
  let four = states[3]!;
  let step = from;
  for (; step < length; step += 1) {
    const nextOne = table[one + bytes[first + step]!]!;
    const nextTwo = table[two + bytes[second + step]!]!;
    const nextThree = table[three + bytes[third + step]!]!;
    const nextFour = table[four + bytes[fourth + step]!]!;
    if ((nextOne | nextTwo | nextThree | nextFour) < 0) break;
    one = nextOne;
    two = nextTwo;
    three = nextThree;
    four = nextFour;
  }
  states[0] = one;
  states[1] = two;
  states[2] = three;
  states[3] = four;
  return step;
}
