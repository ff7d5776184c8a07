import { invalidInputPrefix, isToolResult, modelSchema, resultText, resultTextBytes, type ToolResult } from "@fencepost/contract";
import type { SandboxPolicy } from "@fencepost/sandbox";
import { describe, expect, it } from "vitest";
import type { SessionContext } from "../context/session-context.ts";
import type { FinalizedToolset, SessionTool } from "../toolset/finalized-toolset.ts";
import { createToolRegistry } from "../toolset/tool-registry.ts";
import { looseSchemas } from "./loose-schemas.ts";

/** What a tool under test is called with. Its examples may fail there, but within the contract. */
export interface ToolFixture {
  readonly session: SessionContext;
  readonly policy: SandboxPolicy;
  remove(): Promise<void>;
}

/** Inputs that no tool takes: whatever is tried, the answer is a result. */
const strangeInputs: readonly unknown[] = [null, undefined, 0, "", "{", "[]", "null", [], [{}], true, { "": "" }, { __proto__: null }, '{"__proto__":{}}', "\0", "\ud800", () => 1];

const strangeValues: readonly unknown[] = [null, -1, 1.5, 1e300, "", "\0", "\ud800", "x".repeat(100_000), [], {}, [null], true];

/** The contract of a tool, for vitest. `make` is called once a test. */
export function testTool(tool: SessionTool, make: () => Promise<ToolFixture>): void {
  const withTool = async (work: (call: (input: unknown, signal?: AbortSignal) => Promise<ToolResult>, toolset: FinalizedToolset) => Promise<void>): Promise<void> => {
    const { session, policy, remove } = await makeFixture(make);
    const toolset = createToolRegistry([tool]).finalize({ tools: [tool.id] }, session);
    let calls = 0;
    try {
      await work((input, signal = new AbortController().signal) => toolset.call({ toolId: tool.id, input }, { callId: `call-${++calls}`, signal, progress: () => undefined, policy }), toolset);
    } finally {
      await remove();
    }
  };

  describe(`[T3][T48] the tool ${tool.id}`, () => {
    it("has an id that can be a name everywhere, and says what it does", () => {
      expect(tool.id).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
      expect(tool.description.trim()).toBe(tool.description);
      expect(tool.description.length).toBeGreaterThan(10);
      expect(tool.family).toMatch(/^[a-z][a-z-]*$/);
      expect(tool.capabilities.length).toBeGreaterThan(0);
    });

    it("has a strict schema: every object lists its properties and what is required, and forbids others", () => {
      expect(looseSchemas(modelSchema(tool.inputSchema))).toEqual([]);
    });

    it("promises a strict schema for its data, if any", () => {
      if (tool.resultSchema) expect(looseSchemas(modelSchema(tool.resultSchema))).toEqual([]);
    });

    it("takes its own examples, and they are plain JSON", () =>
      withTool(async (_call, toolset) => {
        expect(tool.examples.length).toBeGreaterThan(0);
        for (const example of tool.examples) {
          expect(JSON.parse(JSON.stringify(example))).toEqual(example);
          const { policy, remove } = await makeFixture(make);
          const prepared = await toolset.prepare({ toolId: tool.id, input: example }, policy);
          await remove();
          if (prepared.kind === "refused") expect(resultText(prepared.result)).not.toMatch(new RegExp(`^${invalidInputPrefix}`));
          else expect(["read_only", "writes", "runs"]).toContain(prepared.facts.kind);
        }
      }));

    it("refuses an unknown field and a result's field by name", () =>
      withTool(async (call) => {
        for (const field of ["unknown_field", "exitCode"]) {
          const result = await call({ ...exampleOf(tool), [field]: 1 });
          expect(result.error?.code).toBe("invalid_arguments");
          expect(resultText(result)).toContain(`\`${field}\``);
        }
      }));

    it("answers whatever it is called with by one bounded result", () =>
      withTool(async (call) => {
        for (const input of [...strangeInputs, ...mutations(tool)]) expectWithin(await call(input));
      }));

    it("is not started by a call that was cancelled", () =>
      withTool(async (call) => {
        for (const example of tool.examples) expect((await call(example, AbortSignal.abort())).status).not.toBe("succeeded");
      }));
  });
}

async function makeFixture(make: () => Promise<ToolFixture>): Promise<{ readonly session: SessionContext; readonly policy: SandboxPolicy; readonly remove: () => Promise<void> }> {
  const fixture = await make();
  return { session: fixture.session, policy: fixture.policy, remove: () => fixture.remove() };
}

/** Asserts what holds for every result of every tool. */
export function expectWithin(result: ToolResult): void {
  expect(isToolResult(result)).toBe(true);
  const text = resultText(result);
  expect(text).not.toBe("");
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(resultTextBytes);
  if (result.error && result.error.code !== "timeout" && result.error.code !== "cancelled") expect(text).toBe(result.error.message);
}

/** The first example with one property at a time replaced by something strange. */
function mutations(tool: SessionTool): readonly unknown[] {
  const example = exampleOf(tool);
  return Object.keys(tool.inputSchema.properties).flatMap((name) => strangeValues.map((value) => ({ ...example, [name]: value })));
}

function exampleOf(tool: SessionTool): object {
  const [example] = tool.examples;
  return typeof example === "object" && example !== null ? example : {};
}
