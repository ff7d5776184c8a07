import type { ErrorObject } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonSchema } from "./model-schema.ts";

/** Every text of a refused input starts with this. */
export const invalidInputPrefix = "invalid tool input: ";

/** Null where the input fits, else one text that names the field, what was given and what is expected. */
export type Validator = (input: unknown) => string | null;

/**
 * A validator for one input schema (JSON Schema 2020-12). It is compiled at the first call: ten tools take 75 ms to
 * compile, and most processes call two. So a schema that is none makes the first call throw, not this one.
 */
export function createValidator(schema: JsonSchema): Validator {
  let compiled: ReturnType<Ajv2020["compile"]> | undefined;
  return (input) => {
    compiled ??= ajv().compile(schema);
    return compiled(input) ? null : invalidInputPrefix + describe(compiled.errors ?? [], input, schema);
  };
}

let shared: Ajv2020 | undefined;

function ajv(): Ajv2020 {
  // Checking a schema against the schema of schemas costs most of a first call; strict mode finds what matters.
  shared ??= new Ajv2020({ strict: true, allErrors: true, verbose: true, validateFormats: false, allowUnionTypes: true, meta: false, validateSchema: false });
  return shared;
}

/** Names that only a result has. A model that sends one has confused the two, and is told so. */
const resultFields = new Set(["status", "exitCode", "content", "artifacts", "error", "sandboxDenied", "data", "display", "output", "stdout", "stderr", "result"]);

/** At most this many faults are told at once: more is noise for a model that mends them one by one. */
const maxFaults = 3;

function describe(errors: readonly ErrorObject[], input: unknown, schema: JsonSchema): string {
  if (!isRecord(input)) return `expected an object with ${fieldList(schema)}, got ${show(input)}`;
  const faults = new Set(withoutUnionNoise(errors).map((error) => describeOne(error)));
  return [...faults].slice(0, maxFaults).join("; ");
}

/** A failed union reports each member too: the union's own line says it all. */
function withoutUnionNoise(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const unions = errors.filter((error) => error.keyword === "anyOf");
  return errors.filter((error) => error.keyword === "anyOf" || !unions.some((union) => error.schemaPath.startsWith(`${union.schemaPath}/`)));
}

function describeOne(error: ErrorObject): string {
  const field = fieldName(error.instancePath);
  const params: Readonly<Record<string, unknown>> = error.params;
  const within = field === "" ? "" : ` in \`${field}\``;
  switch (error.keyword) {
    case "additionalProperties": {
      const name = text(params["additionalProperty"]);
      if (field === "" && resultFields.has(name)) return `\`${name}\` belongs to a result, it is not an input; leave it out`;
      return `unknown field \`${name}\`${within}; expected only ${fieldList(error.parentSchema)}`;
    }
    case "required": {
      const name = text(params["missingProperty"]);
      return `\`${join(field, name)}\` is missing; expected ${expectation(propertySchema(error.parentSchema, name))}`;
    }
    default:
      return `\`${field}\` was ${show(error.data)}; expected ${expectation(error.parentSchema)}`;
  }
}

/** A schema in words: `a whole number from 1 to 2000`, `"a" or "b"`. */
function expectation(schema: unknown): string {
  if (!isRecord(schema)) return "another value";
  const choices = literals(schema);
  if (choices !== null) return choices.map((choice) => JSON.stringify(choice)).join(" or ");
  switch (schema["type"]) {
    case "integer":
      return `a whole number${range(schema["minimum"], schema["maximum"])}`;
    case "number":
      return `a number${range(schema["minimum"], schema["maximum"])}`;
    case "string":
      return `a${schema["minLength"] === 1 ? " non-empty" : ""} string${upTo(schema["maxLength"], "characters")}`;
    case "boolean":
      return "true or false";
    case "array":
      return `a list of${range(schema["minItems"], schema["maxItems"]).replace(" from", "") || " any number of"} items`;
    case "object":
      return `an object with ${fieldList(schema)}`;
    default:
      return "another value";
  }
}

function literals(schema: Record<string, unknown>): readonly unknown[] | null {
  if ("const" in schema) return [schema["const"]];
  if (Array.isArray(schema["enum"])) return schema["enum"];
  const members = schema["anyOf"];
  if (!Array.isArray(members)) return null;
  const values = members.map((member) => (isRecord(member) ? literals(member) : null));
  return values.includes(null) ? null : values.flatMap((value) => value ?? []);
}

function range(minimum: unknown, maximum: unknown): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${text(minimum)} to ${text(maximum)}`;
  if (minimum !== undefined) return ` from ${text(minimum)} up`;
  return maximum === undefined ? "" : ` up to ${text(maximum)}`;
}

function upTo(maximum: unknown, unit: string): string {
  return maximum === undefined ? "" : ` of at most ${text(maximum)} ${unit}`;
}

function fieldList(schema: unknown): string {
  const properties = isRecord(schema) ? schema["properties"] : undefined;
  const names = isRecord(properties) ? Object.keys(properties) : [];
  return names.length === 0 ? "no fields" : names.map((name) => `\`${name}\``).join(", ");
}

function propertySchema(schema: unknown, name: string): unknown {
  const properties = isRecord(schema) ? schema["properties"] : undefined;
  return isRecord(properties) ? properties[name] : undefined;
}

/** `/paths/0/access` → `paths[0].access` */
function fieldName(pointer: string): string {
  const segments = pointer.split("/").slice(1).map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
  return segments.reduce(join, "");
}

function join(parent: string, segment: string): string {
  if (/^\d+$/.test(segment)) return `${parent}[${segment}]`;
  return parent === "" ? segment : `${parent}.${segment}`;
}

const maxShownCharacters = 60;

/** A value as the model sent it, short. */
function show(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return `a list of ${value.length} items`;
  const shown = JSON.stringify(value) ?? typeof value;
  const characters = Array.from(shown.slice(0, 4 * maxShownCharacters));
  return characters.length > maxShownCharacters ? `${characters.slice(0, maxShownCharacters).join("")}…` : shown;
}

/** A name or a limit of the schema, as it stands in a sentence. */
function text(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
