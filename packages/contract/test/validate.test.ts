import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { createValidator, invalidInputPrefix } from "../src/validate.ts";
import { escalationProperties } from "../src/escalation.ts";
import { modelSchema } from "../src/model-schema.ts";

const strict = { additionalProperties: false } as const;

const validate = createValidator(
  modelSchema(
    Type.Object(
      {
        path: Type.String({ minLength: 1 }),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 2000 })),
        mode: Type.Optional(Type.Union([Type.Literal("content"), Type.Literal("count")])),
        short: Type.Optional(Type.String({ maxLength: 3 })),
        all: Type.Optional(Type.Boolean()),
        ...escalationProperties,
      },
      strict,
    ),
  ),
);

describe("an input that fits", () => {
  it.each([{ path: "a" }, { path: "a", limit: 1, mode: "count", all: false }, { path: "a", short: "😀😀😀" }])("%j is let through", (input) => {
    expect(validate(input)).toBeNull();
  });
});

describe("an input that does not fit", () => {
  it.each([
    [{}, "`path` is missing; expected a non-empty string"],
    [{ path: "" }, '`path` was ""; expected a non-empty string'],
    [{ path: 7 }, "`path` was 7; expected a non-empty string"],
    [{ path: "a", limit: 0 }, "`limit` was 0; expected a whole number from 1 to 2000"],
    [{ path: "a", limit: 2001 }, "`limit` was 2001; expected a whole number from 1 to 2000"],
    [{ path: "a", limit: 1.5 }, "`limit` was 1.5; expected a whole number from 1 to 2000"],
    [{ path: "a", limit: "5" }, '`limit` was "5"; expected a whole number from 1 to 2000'],
    [{ path: "a", mode: "files" }, '`mode` was "files"; expected "content" or "count"'],
    [{ path: "a", short: "abcd" }, '`short` was "abcd"; expected a string of at most 3 characters'],
    [{ path: "a", all: "yes" }, '`all` was "yes"; expected true or false'],
    [{ path: null }, "`path` was null; expected a non-empty string"],
    [{ path: ["a", "b"] }, "`path` was a list of 2 items; expected a non-empty string"],
    [{ path: "a", sandboxPermissions: { paths: [] } }, "`sandboxPermissions.paths` was a list of 0 items; expected a list of 1 to 16 items"],
    [{ path: "a", sandboxPermissions: "all" }, '`sandboxPermissions` was "all"; expected an object with `paths`'],
    [{ path: "a", sandboxPermissions: { paths: [{ path: "x", access: "rw", scope: "exact" }] } }, '`sandboxPermissions.paths[0].access` was "rw"; expected "read" or "write"'],
  ])("[T44] %j names the field, what was given and what is expected", (input, text) => {
    expect(validate(input)).toBe(invalidInputPrefix + text);
  });

  it("[T3][T44] an unknown field lists the known ones", () => {
    expect(validate({ path: "a", pth: 1 })).toBe("invalid tool input: unknown field `pth`; expected only `path`, `limit`, `mode`, `short`, `all`, `sandboxPermissions`, `justification`");
    expect(validate({ path: "a", sandboxPermissions: { paths: [{ path: "x", access: "read", scope: "exact", why: "" }] } })).toMatch(/^invalid tool input: unknown field `why` in `sandboxPermissions.paths\[0\]`; expected only `path`, `access`, `scope`$/);
  });

  it.each(["status", "exitCode", "stdout", "sandboxDenied", "artifacts"])("[T44] a result's field %s is told to be one", (name) => {
    expect(validate({ path: "a", [name]: 0 })).toBe(`invalid tool input: \`${name}\` belongs to a result, it is not an input; leave it out`);
  });

  it.each([[null, "null"], ["text", '"text"'], [7, "7"], [undefined, "nothing"], [[1], "a list of 1 items"], [true, "true"]])("[T44] %j is not an object", (input, shown) => {
    expect(validate(input)).toMatch(/^invalid tool input: expected an object with `path`, .+, got /);
    expect(validate(input)?.endsWith(`got ${shown}`)).toBe(true);
  });

  it("a long value is cut, whole characters only, and at most three faults are told", () => {
    expect(validate({ path: "a", all: "😀".repeat(500) })).toMatch(/^invalid tool input: `all` was "😀{59}…; expected true or false$/u);
    const many = validate({ limit: 0, all: 1, mode: "x", short: 5 });
    expect(many?.split("; expected ")).toHaveLength(4);
  });
});

describe("a model's schema", () => {
  it("has no $schema, $id or title of the language, and keeps properties of those names", () => {
    const schema = modelSchema(Type.Object({ title: Type.String({ title: "T", $id: "x" }), inner: Type.Object({ $id: Type.String() }, strict) }, { ...strict, title: "Root", $schema: "https://json-schema.org/draft/2020-12/schema" }));
    expect(schema).toEqual({
      type: "object",
      required: ["title", "inner"],
      properties: { title: { type: "string" }, inner: { type: "object", required: ["$id"], properties: { $id: { type: "string" } }, additionalProperties: false } },
      additionalProperties: false,
    });
  });

  it("every object lists its required fields, if only to say that there are none", () => {
    expect(modelSchema(Type.Object({ a: Type.Optional(Type.String()) }, strict))["required"]).toEqual([]);
    expect(modelSchema(Type.Object({}, strict))).toMatchObject({ properties: {}, required: [] });
  });
});
