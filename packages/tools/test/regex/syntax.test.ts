import { expect, it } from "vitest";
import { compileRegex } from "../../src/regex/compile.ts";

function finds(pattern: string, text: string | Uint8Array): string | undefined {
  const bytes = typeof text === "string" ? Buffer.from(text) : Buffer.from(text);
  const span = compileRegex(pattern).findSpan(bytes, 0, bytes.length);
  return span && bytes.toString("latin1", span.start, span.end);
}

it("matches bytes that are not UTF-8 only where asked to", () => {
  expect(finds("(?-u:\\xFF)", Uint8Array.of(0x61, 0xff))).toBe("\xff");
  expect(finds("(?s).", Uint8Array.of(0xff))).toBeUndefined();
  expect(finds("(?s-u).", Uint8Array.of(0xff))).toBe("\xff");
  expect(finds("\\w+", Uint8Array.of(0xc3, 0x61))).toBe("a");
});

it("takes a brace that begins no count as itself, and a count as one", () => {
  expect(finds("if (?:a) {", "if a {")).toBe("if a {");
  expect(finds("{}", "x{}")).toBe("{}");
  expect(finds("a{2}", "aaa")).toBe("aa");
  expect(finds("x{,2}", "xxx")).toBe("xx");
});

it("knows categories, scripts and yes/no properties by Rust's loose names", () => {
  expect(finds("\\p{uppercase letter}\\p{Lu}", "aBC")).toBe("BC");
  expect(finds("\\p{script=greek}+", "aαβ")).toBe(Buffer.from("αβ").toString("latin1"));
  expect(finds("\\p{Emoji_Presentation}", "a😀")).toBe(Buffer.from("😀").toString("latin1"));
  expect(finds("[\\p{Alphabetic}--\\p{ASCII}]", "aé")).toBe(Buffer.from("é").toString("latin1"));
});

it("reads verbose patterns", () => {
  expect(finds("(?x) a b # comment\n [c d] \\ ", "abc ")).toBe("abc ");
});

it.each([
  ["(?=a)", /look-around \(\?=…\) is not supported.*match the surrounding text too/u],
  ["(?<!a)b", /look-around \(\?<!…\)/u],
  ["(a)\\1", /back-references such as \\1 are not supported.*write out the alternatives/u],
  ["(?P=x)", /back-references are not supported/u],
  ["\\k<x>", /back-references are not supported/u],
  ["(?>a)", /write \(\?:…\)/u],
  ["a**b(", /this \( has no closing \); write \\\( to match a parenthesis/u],
  ["a)", /this \) closes nothing; write \\\)/u],
  ["[a", /this \[ has no closing \]; write \\\[/u],
  ["*a", /nothing stands before this \* to repeat; write \\\*/u],
  ["a\\", /ends in a single backslash/u],
  ["\\Z", /write \\z, or \$/u],
  ["\\0", /\\0 is not an escape of Rust's regex syntax; write \\x00 for a NUL/u],
  ["C:\\Users", /expected hexadecimal digits, as in \\x41 or \\x\{1F600\}; write \\\\ to match a backslash/u],
  ["\\y", /\\y is not an escape of Rust's regex syntax; write y/u],
  ["\\p{Nope}", /there is no Unicode property Nope/u],
  ["[z-a]", /this range ends before it begins/u],
  ["a{3,2}", /maximum is below its minimum/u],
  ["\\x{110000}", /is not a Unicode character/u],
  [`${"(".repeat(300)}a${")".repeat(300)}`, /nested too deeply/u],
])("explains %s", (pattern, text) => {
  expect(() => compileRegex(pattern)).toThrow(text);
});
