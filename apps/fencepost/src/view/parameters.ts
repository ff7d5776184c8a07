/** One parameter of a tool, for people. */
export interface Parameter {
  /** The name, with `?` where it may be left out, and its type. */
  readonly form: string;
  readonly text: string;
}

/** The parameters of a tool's input schema, in its order. */
export function parametersOf(schema: Readonly<Record<string, unknown>>): readonly Parameter[] {
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  return Object.entries(fields(schema["properties"])).map(([name, property]) => {
    const { description } = fields(property);
    return { form: `${name}${required.has(name) ? "" : "?"}: ${typeOf(property)}`, text: typeof description === "string" ? description : "" };
  });
}

function typeOf(schema: unknown): string {
  const { type, items, anyOf, const: only, enum: values } = fields(schema);
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (Array.isArray(anyOf)) return anyOf.map(typeOf).join(" | ");
  return type === "array" ? `${typeOf(items)}[]` : typeof type === "string" ? type : "any";
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
