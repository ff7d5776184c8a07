import { RRegex } from "rregex";
import { describe, expect, it } from "vitest";
import { compileRegex } from "../../src/regex/compile.ts";
import { PatternError } from "../../src/regex/pattern-error.ts";

// docs/search.md lists where patterns are read otherwise than by Rust's crate: what it says is so.

const compile = (pattern: string): unknown => compileRegex(pattern, { ignoreCase: false, multiLine: true, crlf: true, withinLine: true });

describe("differences to Rust's crate that the docs name", () => {
  it.each(["(?)a", "(?ii)a", "(?P<a>x)(?P<a>y)", "if x {", "a{,3}"])("%s is taken, where the crate refuses it", (pattern) => {
    expect(() => new RRegex(pattern)).toThrow();
    expect(() => compile(pattern)).not.toThrow();
  });

  it.each(["\\p{oldturkic}", "\\p{caseignorable}", "\\p{Age=6.0}", "a\\nb"])("%s is refused, where the crate takes it", (pattern) => {
    expect(() => new RRegex(pattern)).not.toThrow();
    expect(() => compile(pattern)).toThrow(PatternError);
  });

  it.each(["\\p{Old_Turkic}", "\\p{old turkic}", "\\p{Case_Ignorable}", "\\p{whitespace}", "\\p{lowercaseletter}"])("%s is taken by both", (pattern) => {
    expect(() => new RRegex(pattern)).not.toThrow();
    expect(() => compile(pattern)).not.toThrow();
  });

  it.each(["(?=a)", "(?<!a)", "(a)\\1", "(?>a)"])("%s is refused by both", (pattern) => {
    expect(() => new RRegex(pattern)).toThrow();
    expect(() => compile(pattern)).toThrow(PatternError);
  });
});
