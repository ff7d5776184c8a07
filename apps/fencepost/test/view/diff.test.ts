import type { FileChange } from "@fencepost/contract";
import { describe, expect, it } from "vitest";
import { renderChange } from "../../src/view/diff.ts";
import { ansiStyle, plainStyle } from "../../src/view/style.ts";

const change: FileChange = {
  changeId: "c1",
  path: "src/a.ts",
  realPath: "/w/src/a.ts",
  kind: "modified",
  additions: 1,
  deletions: 1,
  hunks: [
    {
      oldStart: 9,
      oldLines: 2,
      newStart: 9,
      newLines: 2,
      lines: [
        { kind: "context", text: "const a = 1;" },
        { kind: "removed", text: "old();" },
        { kind: "added", text: "new();", missingNewline: true },
      ],
    },
  ],
  beforeHash: null,
  afterHash: null,
  beforeContent: null,
  afterContent: null,
  undone: false,
};

describe("a file change", () => {
  it("is shown with its counts, line numbers and signs", () => {
    expect(renderChange(change, { style: plainStyle, columns: 80 })).toEqual([
      "src/a.ts +1 -1 (modified)",
      "   9   const a = 1;",
      "  10 - old();",
      "  10 + new(); (no line break at the end)",
    ]);
  });

  it("colours by its own rules, never by the file's", () => {
    const hostile = { ...change, path: "a\u001b[2J.ts", hunks: [{ ...change.hunks[0]!, lines: [{ kind: "added" as const, text: "\u001b]0;title\u0007x\r" }] }] };
    const lines = renderChange(hostile, { style: plainStyle, columns: 80 }).join("\n");
    expect(lines).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(lines).toContain(String.raw`\e]0;title\x07x\r`);
    expect(renderChange(change, { style: ansiStyle, columns: 80 }).join("\n")).toContain("\u001b[32m+ new();");
  });

  it("stays short, and says how much is left out", () => {
    const lines = Array.from({ length: 1000 }, () => ({ kind: "added" as const, text: "x" }));
    const shown = renderChange({ ...change, hunks: [{ ...change.hunks[0]!, lines }] }, { style: plainStyle, columns: 80 });
    expect(shown).toHaveLength(202);
    expect(shown.at(-1)).toBe("  … 800 more lines");
  });
});
