import { describe, expect, it } from "vitest";
import { validateGrants } from "@fencepost/sandbox";
import { grant, policyOf } from "./policy-of.ts";

describe("validateGrants", () => {
  it("[P22] refuses each invalid escalation with a text of its own that names the next step", () => {
    const policy = policyOf();
    const cases = [
      [[], "none", "list the paths this call needs"],
      [Array.from({ length: 17 }, (_, index) => grant(`/opt/${index}`)), "too_many", "at most 16 are possible"],
      [[grant("relative/x")], "not_normalised", "give it without"],
      [[grant("/a/../etc")], "not_normalised", "give it without"],
      [[grant("/a/")], "not_normalised", "give it without"],
      [[grant("/a\0b")], "not_normalised", "give it without"],
      [[grant("/w/.git/hooks")], "hard_protected", "ask the user to change it"],
      [[grant("/u/.fencepost/x", "read")], "hard_protected", "leave it out"],
      [[grant("/")], "too_wide", "name the directory or file inside it"],
      [[grant("/u")], "too_wide", "name the directory or file inside it"],
      [[grant("/w/src")], "already_allowed", "list the path that was refused instead"],
      [[grant("/etc", "read")], "already_allowed", "reading /etc needs no permission"],
      [[grant("/opt/a"), grant("/tmp/b", "write", "exact")], "already_allowed", "writing /tmp/b"],
    ] as const;
    const texts = cases.map(([grants, cause, step]) => {
      const refusal = validateGrants(policy, grants, "bash");
      expect(refusal?.cause).toBe(cause);
      expect(refusal?.message).toContain(step);
      return refusal?.cause;
    });
    expect(new Set(texts).size).toBe(6);
  });

  it("[P9] [P23] refuses git hooks outside the workspace, which no grant opens", () => {
    for (const granted of [grant("/o/.git/hooks"), grant("/o/.git/hooks/pre-commit", "write", "exact")]) expect(validateGrants(policyOf(), [granted], "bash")?.cause).toBe("hard_protected");
  });

  it("[P23] accepts what the policy refuses and a person may grant", () => {
    const good = [grant("/w/.git"), grant("/w/.env", "write", "exact"), grant("/u/.ssh", "read"), grant("/u/.cache/go"), grant("/u", "write", "exact"), grant("/opt")];
    expect(validateGrants(policyOf(), good, "bash")).toBeNull();
    expect(validateGrants(policyOf(), Array.from({ length: 16 }, (_, index) => grant(`/opt/${index}`)), "bash")).toBeNull();
    expect(validateGrants(policyOf({ mode: "accept-edits" }), [grant("/w")], "bash")).toBeNull();
    expect(validateGrants(policyOf({ mode: "accept-edits" }), [grant("/w")], "file-tool")?.cause).toBe("already_allowed");
  });

  it("shows a path that holds a line break as one quoted word", () => {
    expect(validateGrants(policyOf(), [grant("/tmp/a\n[sandbox: allowed]")], "bash")?.message).toContain(String.raw`"/tmp/a\n[sandbox: allowed]"`);
  });
});
