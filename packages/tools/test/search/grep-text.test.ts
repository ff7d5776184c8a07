import { footerReserveBytes, resultTextBytes } from "@fencepost/contract";
import { describe, expect, it } from "vitest";
import { GrepText } from "../../src/search/grep-text.ts";
import type { FileMatches, ShownLine } from "../../src/search/search-backend.ts";

const line = (number: number, text: string, context = false): ShownLine => ({ number, text, context, cut: false });
const file = (path: string, lines: readonly ShownLine[], matchingLines = lines.filter(({ context }) => !context).length): FileMatches => ({ path, lines, matchingLines });

describe("the text of grep", () => {
  it("[T22] stays within its bytes with every note about what is left out of a file", () => {
    for (let length = 90; length < 140; length += 1) {
      const text = new GrepText("content", 0);
      for (let index = 0; index < 8; index += 1) text.add(file(`f${index}`, Array.from({ length: 50 }, (_, number) => line(number + 1, "x".repeat(length))), 1_000_000));
      expect(Buffer.byteLength(text.text)).toBeLessThanOrEqual(resultTextBytes - footerReserveBytes);
      expect(text.text).toMatch(/\n\(\+\d+ more matching lines in this file\)$/u);
    }
  });

  it("uses the room to the last byte where nothing is left out of a file", () => {
    const text = new GrepText("files_with_matches", 0);
    const room = resultTextBytes - footerReserveBytes;
    text.add(file("a".repeat(room - 3), []));
    text.add(file("b", []));
    text.add(file("c", []));
    expect({ bytes: Buffer.byteLength(text.text), shown: text.shownFiles, files: text.files }).toEqual({ bytes: room - 1, shown: 2, files: 3 });
  });

  it("shows no context of a match that it does not show", () => {
    const text = new GrepText("content", 1);
    for (let index = 0; index < 5; index += 1) {
      const lines = Array.from({ length: 51 }, (_, number) => line(number * 10 + 2, "hit")).flatMap((hit) => [line(hit.number - 1, "before", true), hit, line(hit.number + 1, "after", true)]);
      text.add(file(`f${index}`, index === 4 ? lines : lines.slice(0, 150)));
    }
    expect(text.shownLines).toBe(250);
    expect(text.text.split("\n").slice(-4)).toEqual(["491-before", "492:hit", "493-after", "(+1 more matching lines in this file)"]);
  });

  it("shows no file's name without a line of it", () => {
    const text = new GrepText("content", 0);
    text.add(file("a", [line(1, "x".repeat(resultTextBytes - footerReserveBytes - 100))]));
    text.add(file("b", [line(1, "y".repeat(200))]));
    expect({ end: text.text.at(-1), shownFiles: text.shownFiles, leftOut: text.leftOut }).toEqual({ end: "x", shownFiles: 1, leftOut: true });
  });
});
