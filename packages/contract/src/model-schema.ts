/** A JSON Schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The schema as a model sees it: plain JSON without `$schema`, `$id` and `title`, which cost tokens and say nothing.
 * A property that is called `title` stays. Every object lists its `required` fields, if only to say that there are none:
 * strict providers refuse a schema without the list.
 */
export function modelSchema(schema: object): JsonSchema {
  const plain: Readonly<Record<string, unknown>> = JSON.parse(JSON.stringify(schema));
  return stripKeys(plain);
}

const schemaMaps = new Set(["properties", "$defs", "definitions", "patternProperties"]);
const dropped = new Set(["$schema", "$id", "title"]);

function stripSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(stripSchema);
  return isRecord(node) ? stripKeys(node) : node;
}

function stripKeys(node: JsonSchema): JsonSchema {
  const kept = Object.entries(node).filter(([key]) => !dropped.has(key));
  const stripped = Object.fromEntries(kept.map(([key, value]) => [key, schemaMaps.has(key) ? stripMap(value) : stripSchema(value)]));
  return "properties" in stripped && !("required" in stripped) ? { ...stripped, required: [] } : stripped;
}

/** Below these keys the names are the user's, not the schema language's. */
function stripMap(map: unknown): unknown {
  if (!isRecord(map)) return map;
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, stripSchema(value)]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
