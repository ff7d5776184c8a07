import { expect, it } from "vitest";
import { applyEdit } from "../../src/edit/apply-edit.ts";

function tolerant(file: string, oldString: string, newString: string): string {
  const outcome = applyEdit(Buffer.from(file), { name: "f.txt", oldString, newString, replaceAll: false, matching: "tolerant", maxBytes: 1024 * 1024 });
  return outcome.edited ? `${outcome.tolerance ?? "exactly"}: ${outcome.bytes.toString("utf8")}` : outcome.problem;
}

it("[T45] exact comes first", () => {
  expect(tolerant("  foo()\nfoo()\n", "  foo()", "  bar()")).toBe("exactly:   bar()\nfoo()\n");
});

it("[T45] each strategy finds its one match, and newString goes in as given", () => {
  expect(tolerant("if (a) {\r\n\tcall()\r\n}\r\n", "if (a) {\n    call()\n}", "if (b) {\n\tcall()\n}")).toBe("ignoring indentation: if (b) {\r\n\tcall()\r\n}\r\n");
  expect(tolerant("x = call(a,   b)\n", "call(a, b)", "call(b)")).toBe("ignoring white space: x = call(b)\n");
  expect(tolerant('say "hello"\nnow\n', 'say \\"hello\\"\\nnow', "quiet")).toBe("after unescaping: quiet\n");
  expect(tolerant("it says “hello”\n", 'says "hello"', "says bye")).toBe("ignoring quote style: it says bye\n");
  expect(tolerant("alpha\nbeta\n", "7\talpha\n8\tbeta", "gamma")).toBe("without line numbers: gamma\n");
});

const several: readonly (readonly [string, string, string])[] = [
  ["ignoring indentation", "\tfoo()\n  foo()\n", "   foo()"],
  ["ignoring white space", "x = call(a,   b)\ny = call(a,\tb)\n", "call(a, b)"],
  ["after unescaping", 'say "hello"!\nsay "hello"!\n', 'say \\"hello\\"'],
  ["ignoring quote style", "it says “hello”, says “hello”\n", 'says "hello"'],
  ["without line numbers", "x alpha\nx alpha\n", "7\tx alpha"],
];

it.each(several)("[T45] several matches %s fail without trying the next strategy", (tolerance, file, oldString) => {
  expect(tolerant(file, oldString, "new")).toContain(`matches several places when matched ${tolerance}`);
});

it("[T45] a text of fewer than 5 characters is matched exactly only", () => {
  expect(tolerant("\tfoo\n", "  foo", "bar")).toContain("was not found");
});

it("[T45] a match that is much larger than the text is refused", () => {
  expect(tolerant(`alpha${" ".repeat(500)}beta\n`, "alpha beta", "x")).toContain("is much larger");
});
