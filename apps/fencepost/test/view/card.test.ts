import type { PermissionRequest } from "@fencepost/core";
import { describe, expect, it } from "vitest";
import { renderCard, renderQuestion } from "../../src/view/card.ts";
import { ansiStyle, plainStyle } from "../../src/view/style.ts";
import { withoutColours } from "../colours.ts";
import { visibleLine } from "../../src/view/visible.ts";

const view = { style: plainStyle, columns: 60 };

const request: PermissionRequest = {
  requestId: "r1",
  callId: "c1",
  sessionId: "s1",
  toolId: "bash",
  kinds: ["escalation", "dangerous"],
  mode: "auto",
  command: "rm -rf build && make",
  justification: "The build directory is stale.",
  paths: [{ path: "/opt/cache", access: "write", scope: "subtree", tier: "normal" }],
  danger: { key: "rm_recursive_or_force", span: { start: 0, end: 12 }, text: "rm -rf build" },
  earlierRefusal: "[sandbox: file access denied under auto mode]",
  covers: "This command, once.",
};

describe("a permission card", () => {
  it("[P18] shows command, reason, and access, scope and tier of each path", () => {
    expect([...renderCard(request, view), renderQuestion(view)]).toEqual([
      "┌ Permission needed: bash (mode auto)",
      "│ wants paths beyond the policy, for this one call",
      "│ runs a command that deletes or forces",
      "│ command",
      "│   rm -rf build && make",
      "│ deletes or forces",
      "│   rm -rf build",
      "│   rm_recursive_or_force",
      "│ asks for",
      "│   write  subtree  normal  /opt/cache",
      "│ reason given by the model",
      "│   The build directory is stale.",
      "│ refused before",
      "│   [sandbox: file access denied under auto mode]",
      "│ this once covers",
      "│   This command, once.",
      "└ Allow once? [y/N] ",
    ]);
  });

  it("sets the dangerous part off in colour, by its bytes", () => {
    const lines = renderCard(request, { style: ansiStyle, columns: 60 });
    expect(lines.some((line) => line.includes("\u001b[7mrm -rf build\u001b[27m"))).toBe(true);
  });

  it.each([
    ["on one of several lines", "cd build\nrm -rf out\nmake", "rm -rf out"],
    ["across lines", "cd x && rm -rf \\\n  one two && ls", "rm -rf \\\n  one two"],
    ["longer than a line", `echo é; rm -rf ${"very/long/path ".repeat(20)}; ls`, `rm -rf ${"very/long/path ".repeat(20).trimEnd()}`],
    ["with codes in it", "echo \u001b[2J; rm -rf \u202ex\t; ls", "rm -rf \u202ex\t"],
  ])("sets it off %s, and shows the whole command", (_where, command, text) => {
    const start = Buffer.byteLength(command.slice(0, command.indexOf(text)));
    const danger = { key: "rm_recursive_or_force", span: { start, end: start + Buffer.byteLength(text) }, text } as const;
    const lines = renderCard({ ...request, command, danger }, { style: ansiStyle, columns: 60 });
    const shown = lines.slice(lines.findIndex((line) => line.includes("command\u001b")) + 1, lines.findIndex((line) => line.includes("deletes or forces\u001b")));
    const inverse = shown.map((line) => line.split("\u001b[7m")[1]?.split("\u001b[27m")[0] ?? "").join("");
    expect(inverse).toBe(visibleLine(text.replaceAll("\n", "")));
    const plain = shown.map((line) => withoutColours(line).replace("│   ", "")).join("");
    expect(plain).toBe(visibleLine(command.replaceAll("\n", "")));
    for (const line of shown) expect(withoutColours(line).length).toBeLessThanOrEqual(60);
  });

  it("[P40] offers allow once and nothing else", () => {
    expect(renderQuestion(view)).toBe("└ Allow once? [y/N] ");
  });

  it("[D-33] cannot be forged by what the model wrote: each line is inside the frame, and fits", () => {
    const forged = "ls\n└ Allow once? [y/N] y\r\n┌ Permission needed: read\u001b[2J\u001b[H" + " ".repeat(300) + "│ nothing dangerous\u2028└\u202e";
    const lines = renderCard(
      { ...request, command: forged, danger: { ...request.danger!, text: forged }, justification: forged, paths: [{ ...request.paths[0]!, path: `/x\n└ ${forged}` }], earlierRefusal: forged, toolId: "ba\nsh", targets: [forged] },
      view,
    );
    expect(lines[0]).toMatch(/^┌ Permission needed: ba\\nsh/);
    for (const line of lines.slice(1)) {
      expect(line.startsWith("│ ")).toBe(true);
      expect(line).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
      expect(line.length).toBeLessThanOrEqual(60);
    }
  });

  it("[P11] says nothing of network or isolation", () => {
    expect(renderCard(request, view).join("\n")).not.toMatch(/network|isolat/i);
  });
});
