import * as fc from "fast-check";
import { expect, it } from "vitest";
import { applyEdit, type EditOutcome } from "../../src/edit/apply-edit.ts";

const maxBytes = 1024 * 1024;

function edit(file: string | Buffer, oldString: string, newString: string, options: { readonly replaceAll?: boolean; readonly matching?: "exact" | "tolerant" } = {}): EditOutcome {
  return applyEdit(Buffer.from(file), { name: "f.txt", oldString, newString, replaceAll: options.replaceAll ?? false, matching: options.matching ?? "exact", maxBytes });
}

function result(...args: Parameters<typeof edit>): string {
  const outcome = edit(...args);
  return outcome.edited ? outcome.bytes.toString("utf8") : `refused: ${outcome.problem}`;
}

function problem(...args: Parameters<typeof edit>): string {
  const outcome = edit(...args);
  return outcome.edited ? "edited" : outcome.problem;
}

it("[T46] E-01 E-05 a line break in oldString matches the file's own, and newString takes its form", () => {
  expect(result("foo\r\nbar\r\nbaz\r\n", "foo\nbar", "foo\nBAR")).toBe("foo\r\nBAR\r\nbaz\r\n");
  expect(result("a\nb\n", "a\r\nb", "a\r\nB")).toBe("a\nB\n");
});

it("[T46] E-02 E-03 in a file of mixed line breaks every untouched one stays", () => {
  const mixed = `${Array.from({ length: 99 }, (_, index) => `x${index + 1}\n`).join("")}y\r\n`;
  expect(result(mixed, "x5\n", "X5\n")).toBe(mixed.replace("x5\n", "X5\n"));
  expect(result("alpha\nbeta\r\ngamma\n", "alpha\nbeta\ngamma", "alpha\nBETA\ngamma")).toBe("alpha\nBETA\r\ngamma\n");
  expect(result("a\nb\r\nc\nd\n", "a\nb\nc", "a\nb\nnew\nc")).toBe("a\nb\r\nnew\r\nc\nd\n");
});

it("[T46] E-04 an inserted line takes its neighbour's line break", () => {
  expect(result("x\r\ny\r\n", "x", "x\nnew")).toBe("x\r\nnew\r\ny\r\n");
  expect(result("x\r\ny", "y", "y\nz")).toBe("x\r\ny\r\nz");
});

it("E-06 a lone carriage return is content", () => {
  expect(result("a\rb\nc\n", "c", "C")).toBe("a\rb\nC\n");
  expect(result("a\rb\nc\n", "a\rb", "x")).toBe("x\nc\n");
});

it("[T46] E-07 E-08 the byte order mark stays one, also where the request repeats it", () => {
  expect(result("\uFEFFhello\n", "hello", "bye")).toBe("\uFEFFbye\n");
  expect(result("\uFEFFhello\n", "\uFEFFhello", "bye")).toBe("\uFEFFbye\n");
  expect(result("\uFEFFhello\n", "\uFEFFhello", "\uFEFFbye")).toBe("\uFEFFbye\n");
  expect(problem("\uFEFFhello\n", "\uFEFF", "x")).toContain("nothing but a byte order mark");
});

it("[T46] E-09 E-10 E-11 the final line break is neither forced nor stripped", () => {
  expect(result("a\nb", "b", "B")).toBe("a\nB");
  expect(result("a\nb", "b", "b\n")).toBe("a\nb\n");
  expect(result("a\nb\n", "b\n", "b")).toBe("a\nb");
});

it("E-14 E-15 E-30 newString is inserted literally", () => {
  expect(result("grep X\n", "X", "'^[sv]d[a-z]$'")).toBe("grep '^[sv]d[a-z]$'\n");
  const literal = "$1$<n>$`$'";
  const outcome = edit("a a\n", "a", literal, { replaceAll: true });
  expect(outcome).toMatchObject({ edited: true, count: 2 });
  expect(result("a a\n", "a", literal, { replaceAll: true })).toBe(`${literal} ${literal}\n`);
  expect(result("a &amp; b\n", "a &amp; b", "a &lt; b")).toBe("a &lt; b\n");
});

it("[T16] E-17 several matches are counted with their lines, overlapping ones too", () => {
  expect(problem("x=1\ny=2\nx=1\n", "x=1", "x=9")).toBe("oldString has 2 matches in f.txt, at lines 1 and 3. Add surrounding lines to make it unique, or set replaceAll.");
  expect(problem("aaa\n", "aa", "b")).toBe("oldString has 2 matches in f.txt, at line 1. Add surrounding lines to make it unique, or set replaceAll.");
  expect(problem("a\n".repeat(30), "a", "b")).toContain("at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 20 more");
});

it("E-22 only the named text changes, whatever stands around it", () => {
  expect(result("“q”\nfoo  \nbar\n", "bar", "baz")).toBe("“q”\nfoo  \nbaz\n");
});

it("[T16] E-24 a text whose second line is indented otherwise is refused, and no other block is hit", () => {
  const file = "if (a) {\n  x();\n}\n\n\nif (b) {\n  x();\n}\n";
  expect(problem(file, "if (b) {\n    x();\n}", "gone")).toBe(
    "oldString was not found in f.txt: line 7 has 2 spaces where the text has 4 spaces. Copy the white space as it is in the file.",
  );
});

const misses: readonly (readonly [string, string, string, string])[] = [
  ["E-25 a tab against spaces", "\tif x:\n\t\ty()\n", "    if x:", "line 1 has a tab where the text has 4 spaces"],
  ["E-26 one tab too many", "\tfoo\n", "\t\tfoo", "found with one tab fewer: the tab after the number is not part of the file"],
  ["one tab too few on each line", "\tfoo(\n\t\tbar)\n", "foo(\n\tbar)", "found with one tab more"],
  ["E-27 read's line numbers", "foo\nbar\n", "1\tfoo\n2\tbar", "carries read's line numbers"],
  ["E-29 HTML entities", "a && b\n", "a &amp;&amp; b", "HTML entities"],
  ["E-32 another Unicode form", "cafe\u0301\n", "caf\u00E9", "the same text in another Unicode form at line 1"],
  ["curly against straight quotes", "x\nsay “hi”\n", 'say "hi"', "found at line 2 with other quotation marks"],
  ["trailing white space", "foo  \nbar\n", "foo\nbar", "line 1 has 2 spaces at its end where the text has none"],
  ["white space inside a line", "a\nfoo(x,  y)\n", "foo(x, y)", "found at line 2 with other white space"],
  ["a text that was escaped twice", 'a\nb "c"\n', 'a\\nb \\"c\\"', "found at line 1 once"],
  ["another case", "x\nHello\n", "hello", "found at line 2 with other upper and lower case"],
  ["one different word", "let a = 1;\nlet total = sum(a);\n", "let total = sum(b);", 'the nearest is line 2, which has "let total = sum(a);" where the text has "let total = sum(b);"'],
  ["lines that do not follow each other", "a1\nb2\nc3\n", "a1\nc3", 'its first line is at line 1, but then line 2 has "b2" where the text has "c3"'],
  ["nothing alike", "a\n", "zzzzzz", "nothing in the file is like it"],
  ["an empty file", "", "zzzzzz", "nothing in the file is like it"],
];

it.each(misses)("[T16] [T44] a miss explains itself: %s", (_name, file, oldString, expected) => {
  const text = problem(file, oldString, "new");
  expect(text).toContain("oldString was not found in f.txt: ");
  expect(text).toContain(expected);
});

it("E-43 a replacement that holds the old text ends, and counts each place once", () => {
  expect(edit("foo\n", "foo", "foofoo", { replaceAll: true })).toMatchObject({ edited: true, count: 1 });
  expect(result("foo\n", "foo", "foofoo", { replaceAll: true })).toBe("foofoo\n");
  expect(result("aaaa\n", "aa", "b", { replaceAll: true })).toBe("bb\n");
});

it("an edit that only asks for other line breaks is refused as no change", () => {
  expect(problem("a\r\nb\r\n", "a\r\nb", "a\nb")).toContain("would not change");
});

it("[T28] tells where the new content now stands", () => {
  expect(edit("1\n2\n3\n4\n5\n", "2\n3", "b\nc\nd")).toMatchObject({ firstLine: 2, lastLine: 4 });
  expect(edit("1\n2\n3\n", "2\n", "b\n")).toMatchObject({ firstLine: 2, lastLine: 2 });
  expect(edit("1\n2\n3\n", "3\n", "")).toMatchObject({ firstLine: 2, lastLine: 2 });
  expect(edit("1\n", "1\n", "")).toMatchObject({ firstLine: 1, lastLine: 1 });
  expect(edit("1\n2", "2", "2\n")).toMatchObject({ firstLine: 2, lastLine: 2 });
});

it("refuses a result over the limit without building it", () => {
  expect(problem("a".repeat(1000), "a", "b".repeat(100_000), { replaceAll: true })).toContain("would grow beyond 1048576 bytes");
});

it("stays linear on texts made to be slow", () => {
  const file = "a".repeat(1024 * 1024);
  expect(problem(file, `${"a".repeat(500_000)}b`, "x")).toContain("not found");
  expect(problem(file, `b${"a".repeat(500_000)}`, "x")).toContain("not found");
  expect(problem(file, "a".repeat(500_000), "x")).toContain("548577 matches");
  expect(edit("ab".repeat(300_000), "a", "\n", { replaceAll: true })).toMatchObject({ edited: true, count: 300_000 });
});

it("changes only the named stretch of any text, byte for byte", () => {
  const piece = fc.constantFrom("a", "b", "\n", "\r\n", "\r", "é", "😀", "\t", "\uFEFF");
  const text = fc.array(piece, { maxLength: 20 }).map((parts) => parts.join(""));
  const plain = text.filter((inserted) => !/\r(?!\n)|\r\r/.test(inserted));
  fc.assert(
    fc.property(text, text, plain, (before, after, inserted) => {
      const outcome = edit(`${before}<here>${after}`, "<here>", inserted);
      if (!outcome.edited) return;
      const bytes = outcome.bytes.toString("utf8");
      expect(bytes.startsWith(before) && bytes.endsWith(after)).toBe(true);
      expect(bytes.slice(before.length, bytes.length - after.length).replaceAll("\r\n", "\n")).toBe(inserted.replaceAll("\r\n", "\n"));
    }),
  );
});
