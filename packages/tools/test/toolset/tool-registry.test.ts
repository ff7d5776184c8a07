import { noOutputText, resultText, succeeded } from "@fencepost/contract";
import { Type } from "typebox";
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import { defineTool } from "../../src/toolset/define-tool.ts";
import type { FinalizedToolset, SessionTool } from "../../src/toolset/finalized-toolset.ts";
import { defaultPreset, explorerPreset } from "../../src/toolset/presets.ts";
import { createToolRegistry, ToolsetError } from "../../src/toolset/tool-registry.ts";
import { makeTestPlace, type TestPlace } from "./test-place.ts";

const Input = Type.Object({ text: Type.String(), times: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })) }, { additionalProperties: false });

const echo = toolCalled("echo");

function toolCalled(id: string, escalates = false): SessionTool {
  return defineTool({
    id,
    description: `Says it again (${id}).`,
    risk: "read_only",
    capabilities: ["session.read"],
    family: "test",
    escalates,
    inputSchema: Input,
    examples: [{ text: "hi" }],
    execute: async (_session, _call, { text, times }) => succeeded(Array.from({ length: times ?? 1 }, () => text).join(" ")),
  });
}

let place: TestPlace;

beforeEach(async () => {
  place = await makeTestPlace();
});

afterEach(() => place.remove());

function toolset(...ids: string[]): FinalizedToolset {
  return createToolRegistry(ids.map((id) => toolCalled(id))).finalize({ tools: ids }, place.session);
}

function parameterNames(chosen: FinalizedToolset): readonly string[][] {
  return chosen.definitions.map(({ inputSchema }) => Object.keys(inputSchema["properties"] ?? {}));
}

describe("a registry", () => {
  it("[T3] a tool's static input type comes from its schema", () => {
    const tool = defineTool({
      id: "typed",
      description: "Typed.",
      risk: "read_only",
      capabilities: ["session.read"],
      family: "test",
      inputSchema: Input,
      // @ts-expect-error an example must fit the schema
      examples: [{ words: "hi" }],
      execute: async () => succeeded(""),
    });
    expectTypeOf(tool).toEqualTypeOf<SessionTool<{ text: string; times?: number }>>();
    expect(tool.inspect({ text: "" })).toEqual({ kind: "read_only" });
  });

  it("[T1] refuses a blank id, a blank description and a second tool of the same id", () => {
    const registry = createToolRegistry([echo]);
    expect(() => registry.register({ ...echo, id: " " })).toThrow(ToolsetError);
    expect(() => registry.register({ ...echo, id: "other", description: "\n" })).toThrow("tool other needs a description");
    expect(() => registry.register(echo)).toThrow("tool echo is already registered");
    expect(registry.ids).toEqual(["echo"]);
  });

  it("[T4] refuses to choose an unknown tool, and one twice, and names what there is", () => {
    const registry = createToolRegistry([echo]);
    expect(() => registry.finalize({ tools: ["rad"] }, place.session)).toThrow('unknown tool "rad"; registered are echo');
    expect(() => registry.finalize({ tools: ["echo", "echo"] }, place.session)).toThrow("tool echo is chosen twice");
  });

  it("[T5] the presets name the tools in the order they are advertised", () => {
    expect(defaultPreset.tools).toEqual(["read", "write", "edit", "grep", "glob", "list", "bash"]);
    expect(explorerPreset.tools).toEqual(["read", "grep", "glob", "list", "bash"]);
  });

  it("trusts no claim of a tool about its own risk: unknown capabilities count as all", () => {
    const claims: SessionTool = { ...echo, id: "claims", risk: "read_only", capabilities: JSON.parse('["filesystem.read","telepathy"]') };
    const [definition] = createToolRegistry([claims]).finalize({ tools: ["claims"] }, place.session).definitions;
    expect(definition?.riskHint).toBe("process_execution");
    const unheard: SessionTool = { ...echo, id: "unheard", risk: JSON.parse('"harmless"') };
    expect(createToolRegistry([unheard]).tool("unheard")?.risk).toBe("process_execution");
  });
});

describe("a finalized toolset", () => {
  it("[T1][T5] advertises exactly what it can call, in the order of the config", async () => {
    const registry = createToolRegistry(["a", "b", "c"].map((id) => toolCalled(id)));
    const chosen = registry.finalize({ tools: ["c", "a"] }, place.session);
    expect(chosen.definitions.map(({ id }) => id)).toEqual(["c", "a"]);
    for (const id of ["a", "b", "c"]) {
      const result = await chosen.call({ toolId: id, input: { text: "x" } }, place.call());
      expect(result.status).toBe(chosen.has(id) ? "succeeded" : "failed");
      expect(chosen.has(id)).toBe(chosen.definitions.some((definition) => definition.id === id));
    }
  });

  it("[T4] answers tool_not_found outside the set, with what there is, and goes on", async () => {
    const chosen = toolset("a");
    const result = await chosen.call({ toolId: "b\n[sandbox: x]", input: {} }, place.call());
    expect(result).toMatchObject({ status: "failed", error: { code: "tool_not_found", retryable: false } });
    expect(resultText(result)).toBe('There is no tool "b\\n[sandbox: x]" in this session. Use one of: a.');
    expect((await chosen.call({ toolId: "a", input: { text: "on" } }, place.call())).status).toBe("succeeded");
    for (const name of ["__proto__", "constructor", "toString", ""]) expect((await chosen.call({ toolId: name, input: {} }, place.call())).error?.code).toBe("tool_not_found");
  });

  it("[T2] cannot be changed, at run time or in types", () => {
    const chosen = toolset("a");
    expect(Object.isFrozen(chosen) && Object.isFrozen(chosen.definitions)).toBe(true);
    const definition = chosen.definitions[0];
    expect(Object.isFrozen(definition) && Object.isFrozen(definition?.inputSchema) && Object.isFrozen(definition?.inputSchema["properties"])).toBe(true);
    expect(() => Object.assign(chosen, { call: () => undefined })).toThrow(TypeError);
    // @ts-expect-error there is no way to add one
    expect(() => chosen.definitions.push({})).toThrow(TypeError);
    const tool = chosen.tool("a");
    expect(tool && Object.isFrozen(tool)).toBe(true);
  });

  it("[T2] a tool that is changed after it was registered stays what it was", async () => {
    const mutable = { ...echo, id: "m" };
    const registry = createToolRegistry([mutable]);
    const chosen = registry.finalize({ tools: ["m"] }, place.session);
    mutable.execute = async () => succeeded("changed");
    registry.register(toolCalled("later"));
    expect(resultText(await chosen.call({ toolId: "m", input: { text: "same" } }, place.call()))).toBe("same");
    expect(chosen.has("later")).toBe(false);
  });

  it("[P14] offers the escalation parameters only for tools that escalate, only with a sandbox", async () => {
    const without = await makeTestPlace({ sandbox: { available: false, reason: "no bubblewrap", remedy: "install it" } });
    try {
      const registry = createToolRegistry([toolCalled("plain"), toolCalled("may", true)]);
      const config = { tools: ["plain", "may"] };
      expect(parameterNames(registry.finalize(config, place.session))).toEqual([["text", "times"], ["text", "times", "sandboxPermissions", "justification"]]);
      const unavailable = registry.finalize(config, without.session);
      expect(parameterNames(unavailable)).toEqual([["text", "times"], ["text", "times"]]);
      expect(JSON.stringify(unavailable.definitions)).not.toMatch(/sandboxPermissions|justification|subtree/);
      const asked = await unavailable.call({ toolId: "may", input: { text: "x", justification: "y" } }, without.call());
      expect(resultText(asked)).toMatch(/^invalid tool input: unknown field `justification`/);
    } finally {
      await without.remove();
    }
  });

  it("[P23] no value of the escalation parameters means everything", () => {
    const [definition] = createToolRegistry([toolCalled("may", true)]).finalize({ tools: ["may"] }, place.session).definitions;
    const text = JSON.stringify(definition?.inputSchema);
    expect(text).toContain("subtree");
    expect(text).not.toMatch(/"(?:all|full|any|everything|unrestricted|\*|danger[^"]*)"/i);
  });

  it("says that there was no output", async () => {
    expect(resultText(await toolset("a").call({ toolId: "a", input: { text: "" } }, place.call()))).toBe(noOutputText);
  });
});

describe("what hosts without types get wrong", () => {
  it("a tool that defineTool did not make is refused with the part it lacks", () => {
    const plain: SessionTool = JSON.parse('{"id":"own","description":"Own.","inputSchema":{"type":"object"}}');
    expect(() => createToolRegistry([plain])).toThrow(new ToolsetError("tool own has no inspect; make it with defineTool"));
  });

  it("a choice without a list is refused with what is expected", () => {
    expect(() => createToolRegistry().finalize(JSON.parse("{}"), place.session)).toThrow(new ToolsetError('finalize takes the ids of tools, such as { tools: ["read"] } or defaultPreset'));
  });
});
