import { builtinRegistry } from "@fencepost/tools";
import { escalationProperties, modelSchema } from "@fencepost/contract";
import { strictSchema, withoutStrictNulls } from "@fencepost/adapters/openai";
import { expect, it } from "vitest";

const registry = builtinRegistry();

/** The schemas a model sees, escalation parameters and all. */
const schemas = registry.ids.flatMap((id) => {
  const tool = registry.tool(id);
  if (!tool) return [];
  const { inputSchema, escalates } = tool;
  return [{ id, tool, schema: modelSchema(escalates ? { ...inputSchema, properties: { ...inputSchema.properties, ...escalationProperties } } : inputSchema) }];
});

const allowedKeys = new Set(["type", "properties", "required", "additionalProperties", "description", "enum", "const", "items", "anyOf", "minimum", "maximum", "minItems", "maxItems"]);

function check(node: unknown): void {
  if (Array.isArray(node)) {
    node.forEach(check);
    return;
  }
  if (typeof node !== "object" || node === null) return;
  const schema = new Map(Object.entries(node));
  for (const key of schema.keys()) expect(allowedKeys).toContain(key);
  const properties: unknown = schema.get("properties");
  if (typeof properties === "object" && properties !== null) {
    expect(schema.get("required")).toEqual(Object.keys(properties));
    expect(schema.get("additionalProperties")).toBe(false);
    Object.values(properties).forEach(check);
  }
  check(schema.get("items"));
  check(schema.get("anyOf"));
}

it("[T3] every built-in tool can be said in strict mode: all required, nothing besides, only words it knows", () => {
  expect(schemas.length).toBeGreaterThan(7);
  for (const { id, schema } of schemas) {
    const strict = strictSchema(schema);
    expect(strict, id).toBeDefined();
    check(strict);
  }
});

it("what was optional may be null, and null is left out again", () => {
  for (const { tool, schema } of schemas) {
    const names = Object.keys(Object(schema["properties"]));
    for (const example of tool.examples) {
      const filled = { ...Object.fromEntries(names.map((name) => [name, null])), ...Object(example) };
      expect(withoutStrictNulls(filled, schema)).toEqual(example);
    }
  }
});

it("limits that strict mode cannot say stand in the description", () => {
  const strict = strictSchema({ type: "object", properties: { name: { type: "string", minLength: 1, maxLength: 9, description: "Whose" } }, required: ["name"], additionalProperties: false });
  expect(strict).toEqual({
    type: "object",
    properties: { name: { type: "string", description: "Whose. Not empty. At most 9 characters." } },
    required: ["name"],
    additionalProperties: false,
  });
});

it("a schema with names of its own is not strict", () => {
  expect(strictSchema({ type: "object", properties: {}, required: [] })).toBeUndefined();
  expect(strictSchema({ type: "object", properties: { map: { type: "object", additionalProperties: { type: "string" } } }, required: ["map"], additionalProperties: false })).toBeUndefined();
  expect(strictSchema({ type: "object", properties: { any: {} }, required: ["any"], additionalProperties: false })).toBeUndefined();
});
