import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { failed, resultText, resultTextBytes, succeeded, type ProgressSink, type ToolResult, type ToolRisk } from "@fencepost/contract";
import { Type } from "typebox";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CallContext } from "../../src/context/call-context.ts";
import type { SessionContext } from "../../src/context/session-context.ts";
import { resolvePath } from "../../src/paths/resolve-path.ts";
import { defineTool } from "../../src/toolset/define-tool.ts";
import { createToolRegistry } from "../../src/toolset/tool-registry.ts";
import { makeTestPlace, type TestPlace } from "./test-place.ts";

let place: TestPlace;

beforeEach(async () => {
  place = await makeTestPlace();
});

afterEach(() => place.remove());

const ignore: ProgressSink = () => undefined;

type Work = (session: SessionContext, call: CallContext) => unknown;

/** One call of a third party's tool that does whatever it likes and returns whatever it likes. */
function callTool(work: Work, extra: Partial<CallContext> = {}, session: SessionContext = place.session, risk: ToolRisk = "workspace_mutation"): Promise<ToolResult> {
  const tool = defineTool({
    id: "third",
    description: "A third party's tool.",
    risk,
    capabilities: ["session.read"],
    family: "test",
    inputSchema: Type.Object({}, { additionalProperties: false }),
    examples: [{}],
    execute: async (own, call) => loose(await work(own, call)),
  });
  return createToolRegistry([tool]).finalize({ tools: ["third"] }, session).call({ toolId: "third", input: {} }, place.call(extra));
}

/** Whatever it is, taken for a result: as an untyped caller would. */
function isTakenForResult(_value: unknown): _value is ToolResult {
  return true;
}

function loose(value: unknown): ToolResult {
  if (isTakenForResult(value)) return value;
  throw new TypeError("unreachable");
}

function thrown(value: unknown): Work {
  return () => {
    throw value;
  };
}

function bytesOf(result: ToolResult): number {
  return Buffer.byteLength(resultText(result));
}

describe("a tool that fails", () => {
  it.each([
    ["an error", new Error("disk on fire")],
    ["a string", "disk on fire"],
    ["undefined", undefined],
    ["an object that cannot be shown", { toString: () => { throw new Error("no"); } }],
  ])("[T48] by throwing %s gives exactly one result", async (_name, value) => {
    const result = await callTool(thrown(value));
    expect(result).toMatchObject({ status: "failed", error: { code: "execution_failed" } });
    expect(resultText(result)).toMatch(/^third failed unexpectedly: .+\. What it had already done stays; look before you retry\.$/);
    expect(result.error?.message).toBe(resultText(result));
  });

  it("[T48] and only reads says that nothing was changed, not to look what was", async () => {
    const endings: readonly [Work, RegExp][] = [
      [thrown(new Error("disk on fire")), /^third failed unexpectedly: disk on fire\. Nothing was changed; try again, or report the failure if it goes on\.$/],
      [() => ({ status: "succeeded" }), /^third returned a malformed result, so what it found is not known\. Nothing was changed; try again, or report the failure if it goes on\. It returned: /],
    ];
    for (const [work, text] of endings) expect(resultText(await callTool(work, {}, place.session, "read_only"))).toMatch(text);
    const unredacted = await makeTestPlace({ redact: () => { throw new Error("no dictionary"); } });
    try {
      const shown = (risk: ToolRisk): Promise<ToolResult> => callTool(() => "fine", {}, unredacted.session, risk);
      expect(resultText(await shown("read_only"))).toMatch(/^The result of third could not be shown: .+\. Nothing was changed; try again, or report the failure if it goes on\.$/);
      expect(resultText(await shown("process_execution"))).toMatch(/What it had already done stays; look before you retry\.$/);
    } finally {
      await unredacted.remove();
    }
  });

  it("[T11] after its call was cancelled is cancelled", async () => {
    const controller = new AbortController();
    const result = await callTool(() => { controller.abort(); throw new Error("aborted"); }, { signal: controller.signal });
    expect(result).toMatchObject({ status: "cancelled", error: { code: "cancelled" } });
  });

  it("[T11] is not started when the call is already cancelled or out of time", async () => {
    let ran = false;
    const work = (): void => void (ran = true);
    expect((await callTool(work, { signal: AbortSignal.abort() })).status).toBe("cancelled");
    expect((await callTool(work, { deadline: Date.now() - 1 })).error?.code).toBe("timeout");
    expect(ran).toBe(false);
  });

  it("[T27] takes its unfinished spill with it", async () => {
    let path = "";
    await callTool((session) => {
      const writer = session.spill?.open("partial");
      writer?.write("begun");
      path = join(session.spill?.path ?? "", "partial.txt");
      expect(existsSync(path)).toBe(true);
      throw new Error("half way");
    });
    expect(existsSync(path)).toBe(false);
  });
});

describe("what a third party returns", () => {
  it.each([
    ["text", "plain", "succeeded", "plain"],
    ["nothing", undefined, "succeeded", "[no output]"],
    ["null", null, "succeeded", "[no output]"],
    ["an empty text", "", "succeeded", "[no output]"],
    ["a number", 7, "succeeded", "7"],
    ["an object", { files: 3 }, "succeeded", '{"files":3}'],
    ["a list", [1, "a"], "succeeded", '[1,"a"]'],
    ["a status of its own", { status: "ok", text: "x" }, "succeeded", '{"status":"ok","text":"x"}'],
    ["what is not JSON", { n: 1n }, "succeeded", "[a value that is not JSON]"],
  ])("%s becomes a result", async (_name, value, status, text) => {
    const result = await callTool(() => value);
    expect([result.status, resultText(result)]).toEqual([status, text]);
  });

  it.each([
    ["no content", { status: "succeeded" }],
    ["content that is text", { status: "succeeded", content: "all good", artifacts: [], sandboxDenied: false }],
    ["a success with an error", { ...failed("timeout", "x"), status: "succeeded" }],
    ["a failure without one", { ...succeeded("x"), status: "failed" }],
    ["an unknown code", { ...failed("timeout", "x"), error: { code: "vibes", message: "x", retryable: false } }],
    ["a broken display", { ...succeeded("x"), display: { kind: "html", title: 3 } }],
    ["an image of another kind", { ...succeeded("x"), content: [{ type: "image", mediaType: "image/svg+xml", data: "" }] }],
  ])("a result with %s gains no status: what happened is not known", async (_name, value) => {
    const result = await callTool(() => value);
    expect(result).toMatchObject({ status: "outcome_unknown", error: { code: "outcome_unknown" } });
    expect(resultText(result)).toMatch(/^third returned a malformed result/);
  });

  it("a valid result is passed on as it is", async () => {
    const own = { ...failed("execution_failed", "no", { details: { kind: "x" } }), data: { n: 1 } };
    expect(await callTool(() => own)).toEqual(own);
  });

  it("a failure without text says its message", async () => {
    expect(resultText(await callTool(() => ({ ...failed("execution_failed", "why"), content: [] })))).toBe("why");
  });
});

describe("a result that is too long", () => {
  it("[T26][T48] keeps its start, ends on a line, and the whole is kept where read can open it", async () => {
    const text = Array.from({ length: 9000 }, (_, n) => `line ${n}`).join("\n");
    const result = await callTool(() => text, { callId: "long/../id" });
    const shown = resultText(result);
    const match = /\n\.\.\. \((\d+) bytes omitted\. Full output saved at (.+) — use read with offset\/limit, or grep, to look at it\.\)$/.exec(shown);
    const [footer, omitted, path] = match ?? [];
    expect(bytesOf(result)).toBeLessThanOrEqual(resultTextBytes);
    expect(path).toBe(join(place.stateHome, "spill/test_session/long____id.txt"));
    expect(readFileSync(path ?? "", "utf8")).toBe(text);
    const kept = shown.slice(0, -(footer ?? "").length);
    expect(text.startsWith(`${kept}\nline`)).toBe(true);
    expect(Number(omitted)).toBe(Buffer.byteLength(text) - Buffer.byteLength(kept) - 1);
    const readable = await resolvePath(path ?? "", "read", "mustExist", place.session, place.policy);
    expect("refused" in readable).toBe(false);
    const writable = await resolvePath(path ?? "", "write", "mayCreate", place.session, place.policy);
    expect("refused" in writable && resultText(writable.refused)).toMatch(/do not retry/);
  });

  it("is cut between characters where it has no lines", async () => {
    for (const character of ["é", "€", "😀"]) {
      const result = await callTool(() => character.repeat(20_000));
      expect(bytesOf(result)).toBeLessThanOrEqual(resultTextBytes);
      expect(bytesOf(result)).toBeGreaterThan(resultTextBytes - 1024);
      expect(resultText(result)).not.toContain("\ufffd");
    }
  });

  it("of exactly the limit is whole, and one byte more is not", async () => {
    expect(resultText(await callTool(() => "x".repeat(resultTextBytes)))).toBe("x".repeat(resultTextBytes));
    expect(resultText(await callTool(() => "x".repeat(resultTextBytes + 1)))).toMatch(/bytes omitted/);
  });

  it("[T27] is the same without the path when the spill fails or there is none", async () => {
    writeFileSync(join(place.home, ".fencepost-blocked"), "");
    const broken = { ...place.session, spill: { path: "/none", open: () => { throw new Error("full"); } } };
    const silent = { ...place.session, spill: undefined };
    for (const session of [broken, silent]) {
      const result = await callTool(() => "x\n".repeat(40_000), {}, session);
      expect(result.status).toBe("succeeded");
      expect(resultText(result)).toMatch(/\n\.\.\. \(\d+ bytes omitted\. The full output could not be saved\.\)$/);
      expect(resultText(result)).not.toMatch(/saved at|undefined/);
    }
  });

  it("counts all its parts, keeps its images, and a failure's message stays its text", async () => {
    const text = "y".repeat(20_000);
    const image = { type: "image", mediaType: "image/png", data: "AAAA" };
    const parts = await callTool(() => ({ ...succeeded(""), content: [{ type: "text", text }, image, { type: "text", text }] }));
    expect(bytesOf(parts)).toBeLessThanOrEqual(resultTextBytes + "\n[image image/png]".length);
    expect(parts.content.filter(({ type }) => type === "image")).toEqual([image]);
    const long = await callTool(() => failed("execution_failed", "z".repeat(50_000)));
    expect(long.error?.message).toBe(resultText(long));
    expect(bytesOf(long)).toBeLessThanOrEqual(resultTextBytes);
  });
});

describe("what people are shown", () => {
  it("is within its limits, by character", async () => {
    const fields = Array.from({ length: 50 }, (_, n) => ({ label: `${n}`, value: "v".repeat(5000) }));
    const result = await callTool(() => succeeded("x", { display: { kind: "text", title: "😀".repeat(300), body: "é".repeat(9000), fields } }));
    const { title, body, fields: shown } = result.display ?? {};
    expect(Array.from(title ?? "")).toHaveLength(200);
    expect(Buffer.byteLength(body ?? "")).toBeLessThanOrEqual(8192);
    expect(body).not.toContain("\ufffd");
    expect(shown).toHaveLength(32);
    expect(JSON.stringify(shown).length).toBeLessThan(40_000);
  });

  it("has no secret in it: not in the text, the error, the data, the display, or the spill", async () => {
    const redacting = await makeTestPlace({ redact: (text) => text.replaceAll("hunter2", "[secret]") });
    try {
      const text = `hunter2 ${"line\n".repeat(9000)}`;
      const result = await callTool(() => ({ ...failed("execution_failed", text, { details: { deep: [{ key: "hunter2" }] }, recoveryHint: "hunter2" }), data: { a: ["hunter2"] }, display: { kind: "text", title: "hunter2", body: "hunter2", fields: [{ label: "hunter2", value: "hunter2" }] } }), {}, redacting.session);
      expect(JSON.stringify(result)).not.toContain("hunter2");
      expect(JSON.stringify(result).match(/\[secret\]/g)?.length).toBeGreaterThanOrEqual(8);
      const path = /saved at (\S+)/.exec(resultText(result))?.[1] ?? "";
      expect(readFileSync(path, "utf8")).toMatch(/^\[secret\] line/);
    } finally {
      await redacting.remove();
    }
  });
});

describe("[T39] progress", () => {
  const consumers: readonly [string, ProgressSink][] = [
    ["throws", () => { throw new Error("closed"); }],
    ["rejects", () => Promise.reject(new Error("closed"))],
    ["never settles", () => new Promise(() => undefined)],
  ];

  it.each(consumers)("a consumer that %s changes nothing", async (_name, progress) => {
    const result = await callTool((_session, call) => {
      for (let n = 0; n < 1000; n++) call.progress({ kind: "stdout", text: "x" });
      return "done";
    }, { progress });
    expect(result).toEqual(succeeded("done"));
  });

  it("what comes after the result is dropped", async () => {
    const events: string[] = [];
    let late: ProgressSink = ignore;
    await callTool((_session, call) => {
      late = call.progress;
      late({ kind: "message", text: "in time" });
      return "done";
    }, { progress: ({ text }) => void events.push(text) });
    late({ kind: "message", text: "late" });
    expect(events).toEqual(["in time"]);
  });
});

it("a call that another session prepared is not run", async () => {
  const tool = defineTool({
    id: "t", description: "t", risk: "read_only", capabilities: ["session.read"], family: "test",
    inputSchema: Type.Object({}, { additionalProperties: false }), examples: [{}], execute: async () => succeeded("ran"),
  });
  const [one, two] = [0, 1].map(() => createToolRegistry([tool]).finalize({ tools: ["t"] }, place.session));
  const prepared = await one?.prepare({ toolId: "t", input: {} }, place.policy);
  if (prepared?.kind !== "prepared") throw new Error("refused");
  expect((await one?.execute(prepared, place.call()))?.status).toBe("succeeded");
  expect((await two?.execute(prepared, place.call()))?.error?.code).toBe("tool_not_found");
});
