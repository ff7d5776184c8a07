/** Where a schema has an object that does not list its properties and required fields, or takes others. As JSON pointers. */
export function looseSchemas(schema: unknown, pointer = ""): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap((item, index) => looseSchemas(item, `${pointer}/${index}`));
  if (!isRecord(schema)) return [];
  const own = isLoose(schema) ? [pointer || "/"] : [];
  return [...own, ...Object.entries(schema).flatMap(([key, inner]) => looseSchemas(inner, `${pointer}/${key}`))];
}

function isLoose(schema: Readonly<Record<string, unknown>>): boolean {
  if (schema["type"] !== "object") return false;
  const { properties, required, additionalProperties } = schema;
  if (!isRecord(properties) || !Array.isArray(required) || additionalProperties !== false) return true;
  return required.some((name) => typeof name !== "string" || !Object.hasOwn(properties, name));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
