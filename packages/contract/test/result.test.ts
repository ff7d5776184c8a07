import { describe, expect, it } from "vitest";
import { isFileChangeArtifact } from "../src/artifact.ts";
import { capabilities } from "../src/capability.ts";
import { toolError, toolErrorCodes } from "../src/error.ts";
import { isToolResult } from "../src/is-tool-result.ts";
import { failed, resultText, succeeded, toolStatuses } from "../src/result.ts";
import { effectiveRisk, normaliseCapabilities } from "../src/risk.ts";

describe("a result", () => {
  it("of a failure has its message as its text, for every code, with a status that is not success", () => {
    for (const code of toolErrorCodes) {
      const result = failed(code, "what was wrong; do this next");
      expect(resultText(result)).toBe(result.error?.message);
      expect(result.status).not.toBe("succeeded");
      expect(toolStatuses).toContain(result.status);
      expect(result.sandboxDenied).toBe(false);
    }
    const codes = ["permission_denied", "cancelled", "timeout", "outcome_unknown"] as const;
    expect(codes.map((code) => failed(code, "x").status)).toEqual(["denied", "cancelled", "failed", "outcome_unknown"]);
  });

  it("only a call that can be mended by sending it again is retryable", () => {
    expect(toolErrorCodes.filter((code) => toolError(code, "").retryable)).toEqual(["invalid_arguments", "inactive_tool", "truncated_call", "invalid_json"]);
  });

  it("is told from what only looks like one, as it comes from a wire", () => {
    const display = { kind: "text", title: "t", fields: [{ label: "a", value: "b" }] } as const;
    for (const result of [succeeded("x", { data: [1], display }), failed("timeout", "x"), { ...succeeded("x"), later: 1 }]) expect(isToolResult(JSON.parse(JSON.stringify(result)))).toBe(true);
    const [good, bad] = [succeeded("x"), failed("timeout", "x")];
    const wrong = [null, "x", [], {}, { ...good, status: "done" }, { ...good, content: "x" }, { ...good, content: [{ type: "text" }] }, { ...good, artifacts: [{}] }, { ...good, sandboxDenied: "no" }];
    wrong.push({ ...good, error: bad.error }, { ...bad, error: undefined }, { ...bad, error: { code: "nope", message: "", retryable: false } }, { ...good, display: { kind: "html", title: "" } });
    expect(wrong.filter((value) => isToolResult(value))).toEqual([]);
  });

  it("[T38] artifacts, data and display are no part of what a model reads", () => {
    const result = succeeded("read me", { artifacts: [{ kind: "file_change", payload: { afterContent: "hidden" } }], data: { hidden: true }, display: { kind: "text", title: "hidden" } });
    expect(resultText(result)).toBe("read me");
    expect(JSON.stringify(result.content)).not.toContain("hidden");
    expect(result.artifacts.map(isFileChangeArtifact)).toEqual([true]);
  });

  it("text parts are read joined by line breaks, an image as its kind", () => {
    expect(resultText({ content: [{ type: "text", text: "a" }, { type: "image", mediaType: "image/png", data: "" }, { type: "text", text: "b" }] })).toBe("a\n[image image/png]\nb");
  });
});

describe("the risk that counts", () => {
  it.each([
    ["read_only", ["filesystem.read"], "read_only"],
    ["read_only", ["filesystem.read", "filesystem.write"], "workspace_mutation"],
    ["read_only", ["session.write"], "workspace_mutation"],
    ["read_only", ["network"], "process_execution"],
    ["read_only", ["credentials"], "process_execution"],
    ["read_only", ["external.side-effect"], "process_execution"],
    ["process_execution", ["filesystem.read"], "process_execution"],
  ] as const)("declared %s with %j is %s", (declared, has, risk) => {
    expect(effectiveRisk(declared, has)).toBe(risk);
  });

  it.each([[undefined], [null], [[]], ["filesystem.read"], [["filesystem.read", "unheard-of"]], [[3]], [{}]])("capabilities %j count as all", (has) => {
    expect(normaliseCapabilities(has)).toEqual(capabilities);
    expect(effectiveRisk("read_only", has)).toBe("process_execution");
  });

  it("of a tool that delegates is at least its child's", () => {
    expect(effectiveRisk("read_only", ["agent.delegate"], "workspace_mutation")).toBe("workspace_mutation");
    expect(effectiveRisk("read_only", ["agent.delegate"])).toBe("read_only");
  });
});
