import type { JsonSchema } from "@fencepost/contract";

/** All that strict mode understands. What else a schema says is checked when the call comes. */
const understood = new Set(["type", "properties", "required", "additionalProperties", "description", "enum", "const", "items", "anyOf", "minimum", "maximum", "minItems", "maxItems"]);

/**
 * A schema for strict mode: every property is required, and what was optional may be null instead. Limits that strict
 * mode does not know move into the description.
 *
 * @returns undefined where the schema allows names it does not list: strict mode has no word for that
 */
export function strictSchema(schema: JsonSchema): JsonSchema | undefined {
  try {
    return strict(schema);
  } catch (error) {
    if (error instanceof NotStrict) return undefined;
    throw error;
  }
}

class NotStrict extends Error {}

function strict(schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf } = schema;
  const kept = Object.fromEntries(Object.entries(schema).filter(([key]) => understood.has(key)));
  const described = withLimits(kept, schema);
  if (Array.isArray(anyOf)) return { ...described, anyOf: anyOf.map((member) => strict(requireSchema(member))) };
  if (schema["type"] === "array") return { ...described, items: strict(requireSchema(items)) };
  if (schema["type"] !== "object") return requireKnown(described);
  if (!isSchema(properties) || schema["additionalProperties"] !== false) throw new NotStrict();
  const required = requiredOf(schema);
  const strictProperties = Object.entries(properties).map(([name, property]) => {
    const inner = strict(requireSchema(property));
    return [name, required.includes(name) ? inner : orNull(inner)];
  });
  return { ...described, properties: Object.fromEntries(strictProperties), required: Object.keys(properties), additionalProperties: false };
}

/** A value that may be anything cannot be strict. */
function requireKnown(schema: JsonSchema): JsonSchema {
  if ("type" in schema || "enum" in schema || "const" in schema) return schema;
  throw new NotStrict();
}

function requireSchema(value: unknown): JsonSchema {
  if (isSchema(value)) return value;
  throw new NotStrict();
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, description, ...rest } = schema;
  if (typeof type === "string" && !("enum" in rest) && !("const" in rest)) return { ...schema, type: [type, "null"] };
  const { description: _moved, ...inner } = schema;
  return { anyOf: [inner, { type: "null" }], ...(description !== undefined && { description }) };
}

const limitTexts: Readonly<Record<string, (limit: unknown) => string>> = {
  minLength: (limit) => (limit === 1 ? "Not empty." : `At least ${String(limit)} characters.`),
  maxLength: (limit) => `At most ${String(limit)} characters.`,
};

function withLimits(kept: JsonSchema, schema: JsonSchema): JsonSchema {
  const texts = Object.entries(limitTexts).flatMap(([key, text]) => (key in schema ? [text(schema[key])] : []));
  if (texts.length === 0) return kept;
  const description = kept["description"];
  const before = typeof description === "string" ? [/[.!?]$/.test(description) ? description : `${description}.`] : [];
  return { ...kept, description: [...before, ...texts].join(" ") };
}

/** An input that was made for the strict schema, as the tool knows it: what is optional and null is left out. */
export function withoutStrictNulls(input: unknown, schema: JsonSchema): unknown {
  if (Array.isArray(input)) return isSchema(schema["items"]) ? input.map((item) => withoutStrictNulls(item, requireSchema(schema["items"]))) : input;
  const { properties } = schema;
  if (!isSchema(input) || !isSchema(properties)) return input;
  const required = requiredOf(schema);
  const kept = Object.entries(input).flatMap(([name, value]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isSchema(property)) return [[name, value]];
    return value === null && !required.includes(name) ? [] : [[name, withoutStrictNulls(value, property)]];
  });
  return Object.fromEntries(kept);
}

function requiredOf(schema: JsonSchema): readonly unknown[] {
  return Array.isArray(schema["required"]) ? schema["required"] : [];
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
