import * as fc from "fast-check";
import { expect, it } from "vitest";
import { countBreaks } from "../../../src/files/scan/count-breaks.ts";

function counted(content: Uint8Array, length: number): number {
  const memory = new ArrayBuffer((content.length + 3) & ~3);
  const bytes = new Uint8Array(memory, 0, content.length);
  bytes.set(content);
  return countBreaks(bytes, new Int32Array(memory), length);
}

it("counts the line feeds of any bytes, whatever the length", () => {
  const byte = fc.constantFrom(0, 9, 10, 11, 0x0a ^ 0x80, 0x8a, 0x7f, 0xff, 0xf5);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.array(byte, { maxLength: 3000 }), fc.nat(3), (random, chosen, less) => {
      const content = Uint8Array.from([...chosen, ...random]);
      const length = Math.max(0, content.length - less);
      expect(counted(content, length)).toBe(content.subarray(0, length).filter((value) => value === 10).length);
    }),
  );
});

it("does not overflow where every byte is a line feed, or none is", () => {
  expect(counted(new Uint8Array(100_003).fill(10), 100_003)).toBe(100_003);
  expect(counted(new Uint8Array(100_003).fill(0xff), 100_003)).toBe(0);
});
