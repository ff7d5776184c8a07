import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { modelSchema, type JsonSchema } from "@fencepost/contract";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, it } from "vitest";
import { builtinRegistry } from "../../src/builtin/builtin-registry.ts";
import { expectWithin } from "../../src/testing/tool-suite.ts";
import type { FinalizedToolset } from "../../src/toolset/finalized-toolset.ts";
import { makeTestPlace, type TestPlace } from "./test-place.ts";

const runs = process.env["FENCEPOST_DEEP"] === "1" ? 3000 : 150;

/** Names that something stands behind in the world below, and names that are trouble. */
const paths = ["a.txt", "bytes", "long", "dir", "dir/", "link", "loop", "gone", "fifo", ".", "..", "/", "~", "~/.ssh/id", "/dev/null", "/dev/zero", "/proc/self/status", "/proc/self/mem", ".git/hooks/x", ".env", "a.txt/x", "n".repeat(300), "a\0b", "\ud800", "new/deep/file"];

let place: TestPlace;
let toolset: FinalizedToolset;
const registry = builtinRegistry();

beforeAll(async () => {
  place = await makeTestPlace();
  const at = (name: string): string => join(place.workspace, name);
  for (const directory of ["dir", ".git/hooks"]) mkdirSync(at(directory), { recursive: true });
  mkdirSync(join(place.home, ".ssh"));
  writeFileSync(join(place.home, ".ssh/id"), "secret");
  writeFileSync(at("a.txt"), "one\r\ntwo\nthree");
  writeFileSync(at("bytes"), Buffer.from(Array.from({ length: 4096 }, (_, n) => (n * 7919) % 256)));
  writeFileSync(at("long"), "é".repeat(200_000));
  symlinkSync("a.txt", at("link"));
  symlinkSync("loop", at("loop"));
  symlinkSync("nowhere", at("gone"));
  execFileSync("/usr/bin/mkfifo", [at("fifo")]);
  toolset = registry.finalize({ tools: registry.ids }, place.session);
});

afterAll(() => place.remove());

const path = fc.oneof(fc.constantFrom(...paths), fc.string({ unit: "binary", maxLength: 12 }).filter((text) => !text.startsWith("/")));
const anyText = fc.oneof(fc.constantFrom(...paths), fc.string({ unit: "binary", maxLength: 40 }), fc.string({ maxLength: 10 }), fc.constant("x".repeat(70_000)));
const number = fc.oneof(fc.integer({ min: -5, max: 3000 }), fc.double(), fc.maxSafeInteger());

/** Mostly what a schema asks for, so that the tool itself is reached, and sometimes not. */
function inputOf(schema: JsonSchema, name: string): fc.Arbitrary<unknown> {
  const fits = fitting(schema, name);
  return fc.oneof({ weight: 12, arbitrary: fits }, { weight: 1, arbitrary: fc.jsonValue() }, { weight: 1, arbitrary: fc.anything({ withBigInt: true, withSparseArray: true, withNullPrototype: true }) });
}

function fitting(schema: JsonSchema, name: string): fc.Arbitrary<unknown> {
  const { type, properties, items, anyOf, required } = schema;
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((member: JsonSchema) => fitting(member, name)));
  if ("const" in schema) return fc.constant(schema["const"]);
  switch (type) {
    case "object": {
      const entries = Object.entries(isSchemaMap(properties) ? properties : {});
      const requiredKeys = Array.isArray(required) ? required.map(String) : [];
      return fc.record(Object.fromEntries(entries.map(([key, inner]) => [key, inputOf(inner, key)])), { requiredKeys });
    }
    case "array":
      return fc.array(isSchema(items) ? inputOf(items, name) : fc.anything(), { maxLength: 18 });
    case "string":
      return /path|dir/i.test(name) ? path : anyText;
    case "boolean":
      return fc.boolean();
    default:
      return number;
  }
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSchemaMap(value: unknown): value is Readonly<Record<string, JsonSchema>> {
  return isSchema(value) && Object.values(value).every(isSchema);
}

describe("[T48] no input whatever throws past a call or returns more than 32,000 bytes", () => {
  it.each(registry.ids)("%s", async (toolId) => {
    const tool = registry.tool(toolId);
    if (!tool) throw new Error("gone");
    const schema = toolset.definitions.find(({ id }) => id === toolId)?.inputSchema ?? modelSchema(tool.inputSchema);
    await fc.assert(
      fc.asyncProperty(inputOf(schema, ""), fc.boolean(), async (input, asText) => {
        const given = asText ? safeJson(input) : input;
        expectWithin(await toolset.call({ toolId, input: given }, place.call()));
      }),
      { numRuns: runs },
    );
  });

  it("an unknown tool, whatever its name", async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), fc.anything(), async (toolId, input) => {
        const request = Object.assign(Object.create(null), { toolId, input });
        expectWithin(await toolset.call(request, place.call()));
      }),
      { numRuns: runs },
    );
  });
});

function safeJson(value: unknown): unknown {
  try {
    return JSON.stringify(value);
  } catch {
    return value;
  }
}
