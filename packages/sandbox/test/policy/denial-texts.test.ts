import { describe, expect, it } from "vitest";
import { bashDenialText, fileDenialText, hardProtectedText, sandboxUnavailableText } from "@fencepost/sandbox";

describe("texts for the model", () => {
  it("[P17] ends a denied command with the marker and the way on", () => {
    expect(bashDenialText("auto", "possible")).toBe(
      "[sandbox: file access denied under auto mode]\n[sandbox: to proceed, retry this exact command once with sandboxPermissions listing only the paths it needs, and a one-sentence justification; the user will be asked. If the paths cannot be listed, ask the user to run the command instead]",
    );
  });

  it("names path and access where a file tool is refused", () => {
    expect(fileDenialText("write", ".env", "accept-edits", "possible")).toBe(
      "[sandbox: write access to .env denied under accept-edits mode]\n[sandbox: to proceed, retry this call once with sandboxPermissions listing .env (write, exact), and a one-sentence justification; the user will be asked]",
    );
  });

  it("[P39] says of a hard-protected path: in any mode, do not retry", () => {
    expect(hardProtectedText(".git/hooks/pre-commit")).toBe("[sandbox: .git/hooks/pre-commit is protected and cannot be written in any mode; do not retry]");
  });

  it("[P33] [P37] replaces the retry line where no escalation is possible", () => {
    for (const way of ["non_interactive", "child_session", "unavailable"] as const) {
      for (const text of [bashDenialText("auto", way), fileDenialText("read", "/u/.ssh/id", "auto", way), fileDenialText("write", ".env", "auto", way)]) {
        expect(text).not.toContain("sandboxPermissions");
        expect(text).toContain("do not retry");
        expect(text.split("\n")).toHaveLength(2);
        expect(text.split("\n").every((line) => line.startsWith("[sandbox: ") && line.endsWith("]"))).toBe(true);
      }
    }
  });

  it("[P11] speaks of neither network nor isolation", () => {
    const texts = [bashDenialText("auto", "possible"), fileDenialText("read", "x", "auto", "possible"), hardProtectedText("x"), sandboxUnavailableText("no runner")];
    expect(texts.join("\n")).not.toMatch(/network|isolat/i);
  });

  it("says why bash cannot run and what still works", () => {
    expect(sandboxUnavailableText("bwrap is missing")).toBe(
      "[sandbox: unavailable, so bash cannot run commands in this session (bwrap is missing). File tools still work; ask the user to run the command in their own terminal if it is needed.]",
    );
  });
});
