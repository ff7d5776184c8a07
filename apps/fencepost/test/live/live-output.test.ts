import { describe, expect, it } from "vitest";
import { createLiveOutput } from "../../src/live/live-output.ts";

function printed(watched: boolean, parts: readonly string[], result: string): string {
  let text = "";
  const output = createLiveOutput((part) => (text += part), { watched });
  for (const part of parts) output.show(part);
  output.finish(result);
  return text;
}

const line = `${"x".repeat(99)}\n`;
const end = "[exit 0; duration 5 ms]";
const omitted = "... (5 bytes omitted. Full output saved at /s — use read with offset/limit, or grep, to look at it.)";

describe("output as it comes, then the result", () => {
  it.each([true, false])("is the text of the result where nothing was left out (watched: %s)", (watched) => {
    expect(printed(watched, ["a\n", "b"], `a\nb\n${end}`)).toBe(`a\nb\n${end}\n`);
    expect(printed(watched, [], `[no output]\n${end}`)).toBe(`[no output]\n${end}\n`);
    expect(printed(watched, Array.from({ length: 50 }, () => line), `${line.repeat(50)}${end}`)).toBe(`${line.repeat(50)}${end}\n`);
  });

  it("is the text of the result for a program, also where its middle was left out", () => {
    const result = `${line.repeat(20)}${omitted}\n${line.repeat(140)}${end}`;
    expect(printed(false, Array.from({ length: 300 }, () => line), result)).toBe(`${result}\n`);
  });

  it("is all that came for a person, and then what was left out of the result and how it ended", () => {
    const all = Array.from({ length: 300 }, (_, index) => `line ${index}\n`);
    expect(printed(true, all, `line 0\n${omitted}\nline 299\n${end}\n[sandbox: a note]`)).toBe(`${all.join("")}${omitted}\n${end}\n[sandbox: a note]\n`);
  });

  it("is the whole result where it is another one", () => {
    expect(printed(true, ["half a li"], "[sandbox: unavailable]")).toBe("half a li\n[sandbox: unavailable]\n");
  });

  it("moves no cursor", () => {
    expect(printed(true, ["\u001b[2J\r"], `\u001b[2J\r\n${end}`)).toBe(`\\e[2J\\r\n${end}\n`);
  });
});
