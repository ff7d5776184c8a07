import { assert, integer, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { visibleLine, visibleText } from "../../src/view/visible.ts";
import { wrapLine } from "../../src/view/wrap.ts";

const controls = /(?![\n\t])\p{Cc}|[\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/u;

describe("text from outside, made visible", () => {
  it("writes what moves the cursor or turns the order of letters as escapes", () => {
    expect(visibleLine("a\u001b[31mb\rc\u0007")).toBe(String.raw`a\e[31mb\rc\x07`);
    expect(visibleLine("pay\u202eexe.txt\u2066")).toBe(String.raw`pay\u{202e}exe.txt\u{2066}`);
    expect(visibleLine("\u009b2J\u{e0041}\ufeff\ud800")).toBe(String.raw`\x9b2J\u{e0041}\u{feff}\u{d800}`);
    expect(visibleLine("two\nlines\tand tab")).toBe(String.raw`two\nlines\tand tab`);
    expect(visibleText("two\nlines\tand tab\r")).toBe("two\nlines\tand tab\\r");
  });

  it("leaves every other script alone", () => {
    for (const text of ["käse 日本語 نص", "👩‍👩‍👧 ok", "می‌خواهم"]) expect(visibleLine(text)).toBe(text);
  });

  it("holds for any text", () => {
    assert(property(string({ unit: "binary" }), (text) => !controls.test(visibleText(text)) && !/[\n\t]/.test(visibleLine(text))));
  });
});

describe("breaking a line", () => {
  it("gives pieces that fit and lose nothing", () => {
    assert(
      property(string(), integer({ min: 2, max: 30 }), (text, columns) => {
        const pieces = wrapLine(text, columns);
        expect(pieces.join("")).toBe(text);
        for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(columns);
      }),
    );
    expect(wrapLine("日本語です", 4)).toEqual(["日本", "語で", "す"]);
    expect(wrapLine("words stay whole", 10)).toEqual(["words ", "stay whole"]);
    expect(wrapLine("", 10)).toEqual([""]);
  });
});
