import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resultText, succeeded } from "@fencepost/contract";
import type { SandboxMode } from "@fencepost/sandbox";
import { Type } from "typebox";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defineTool } from "../../src/toolset/define-tool.ts";
import type { FinalizedToolset, PreparedCall, RefusedCall } from "../../src/toolset/finalized-toolset.ts";
import { maxInputBytes } from "../../src/toolset/read-input.ts";
import { createToolRegistry } from "../../src/toolset/tool-registry.ts";
import { makeTestPlace, type TestPlace } from "./test-place.ts";

const common = { description: "A test tool.", risk: "workspace_mutation", family: "test", escalates: true } as const;
const executed: unknown[] = [];

const put = defineTool({
  ...common,
  id: "put",
  capabilities: ["filesystem.write"],
  inputSchema: Type.Object({ path: Type.String({ minLength: 1 }), n: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })) }, { additionalProperties: false }),
  examples: [{ path: "a" }],
  inspect: ({ path }) => ({ kind: "writes", targets: [path] }),
  async execute(_session, _call, input) {
    executed.push(input);
    return succeeded("done");
  },
});

const run = defineTool({
  ...common,
  id: "run",
  capabilities: ["process.execute"],
  inputSchema: Type.Object({ command: Type.String() }, { additionalProperties: false }),
  examples: [{ command: "ls" }],
  inspect: ({ command }) => ({ kind: "runs", commands: [command] }),
  execute: async () => succeeded("ran"),
});

let place: TestPlace;
let toolset: FinalizedToolset;

beforeEach(async () => {
  executed.length = 0;
  place = await makeTestPlace();
  toolset = createToolRegistry([put, run]).finalize({ tools: ["put", "run"] }, place.session);
});

afterEach(() => place.remove());

function prepare(toolId: string, input: unknown, mode: SandboxMode = "auto"): Promise<PreparedCall | RefusedCall> {
  return toolset.prepare({ toolId, input }, place.policyOf(mode));
}

async function prepared(toolId: string, input: unknown, mode?: SandboxMode): Promise<PreparedCall> {
  const call = await prepare(toolId, input, mode);
  if (call.kind === "refused") throw new Error(resultText(call.result));
  return call;
}

async function refusal(toolId: string, input: unknown, mode?: SandboxMode): Promise<{ code: string | undefined; text: string; status: string; sandboxDenied: boolean }> {
  const call = await prepare(toolId, input, mode);
  if (call.kind === "prepared") throw new Error("the call was let through");
  const { status, error, sandboxDenied } = call.result;
  return { code: error?.code, text: resultText(call.result), status, sandboxDenied };
}

function ask(...paths: { path: string; access: string; scope: string }[]): Record<string, unknown> {
  return { path: "x", sandboxPermissions: { paths }, justification: "It is needed." };
}

describe("arguments", () => {
  it("are an object or its JSON text", async () => {
    expect((await prepared("put", { path: "a" })).input).toEqual({ path: "a" });
    expect((await prepared("put", '{"path":"a","n":2}')).input).toEqual({ path: "a", n: 2 });
  });

  it.each([
    ['{"path":', /^invalid tool input: the arguments are not valid JSON \(.+\); send one JSON object$/],
    ["", /not valid JSON/],
    ["[]", /^invalid tool input: expected an object with `path`, `n`/],
    [null, /^invalid tool input: expected an object with `path`, `n`.*got null$/],
    [undefined, /^invalid tool input: /],
    [{}, /^invalid tool input: `path` is missing; expected a non-empty string$/],
    [{ path: 3 }, /^invalid tool input: `path` was 3; expected a non-empty string$/],
    [{ path: "a", n: 9 }, /^invalid tool input: `n` was 9; expected a whole number from 1 to 5$/],
    [{ path: "a", nn: 1 }, /^invalid tool input: unknown field `nn`; expected only/],
    [{ path: "a", exitCode: 0 }, /^invalid tool input: `exitCode` belongs to a result, it is not an input; leave it out$/],
    [{ path: "a\ud800" }, /^invalid tool input: `path` is not valid Unicode/],
    [{ path: () => 1 }, /^invalid tool input: `path` is not JSON/],
    [JSON.parse('{"path":"a","__proto__":{"n":1}}'), /^invalid tool input: unknown field `__proto__`/],
  ])("[T44] %j is invalid_arguments and says what is expected", async (input, text) => {
    expect(await refusal("put", input)).toMatchObject({ status: "failed", code: "invalid_arguments", text: expect.stringMatching(text) });
  });

  it("[T48] are bounded in size and depth", async () => {
    expect((await refusal("put", { path: "x".repeat(maxInputBytes) })).text).toMatch(/larger than 8388608 bytes/);
    expect((await refusal("put", `"${"x".repeat(maxInputBytes)}"`)).text).toMatch(/larger than/);
    expect((await refusal("put", Array.from({ length: maxInputBytes / 4 }).fill(null))).text).toMatch(/larger than/);
    expect((await refusal("put", `${"[".repeat(100_000)}${"]".repeat(100_000)}`)).text).toMatch(/nested too deeply|not valid JSON/);
    const loop: Record<string, unknown> = {};
    loop["path"] = loop;
    expect((await refusal("put", loop)).text).toMatch(/nested too deeply/);
  });

  it("[T48] are a copy: what was validated is what runs, whatever the caller does to its object", async () => {
    const input = { path: "a" };
    const call = await prepared("put", input);
    input.path = ".git/hooks/x";
    await toolset.execute(call, place.call());
    expect(executed).toEqual([{ path: "a" }]);
    let reads = 0;
    const shifty = { get path() { return reads++ === 0 ? "a" : ".git/hooks/x"; } };
    expect((await prepared("put", shifty)).input).toEqual({ path: "a" });
    const trap = { get path(): string { throw new Error("trap"); } };
    expect((await refusal("put", trap)).code).toBe("invalid_arguments");
  });
});

describe("a write target", () => {
  it("[P9][P39] that is hard-protected is refused by rule, by whatever name, also with an escalation", async () => {
    mkdirSync(join(place.workspace, ".git/hooks"), { recursive: true });
    symlinkSync(".git/hooks", join(place.workspace, "innocent"));
    const sandboxPermissions = { paths: [{ path: ".git/hooks/x", access: "write", scope: "exact" }] };
    for (const input of [{ path: ".git/hooks/x" }, { path: "innocent/x" }, { path: ".git/hooks/x", sandboxPermissions, justification: "please" }]) {
      expect(await refusal("put", input)).toMatchObject({ status: "denied", code: "permission_denied", sandboxDenied: false, text: expect.stringMatching(/is protected and cannot be written in any mode; do not retry\]$/) });
    }
    expect((await refusal("put", { path: "~/.fencepost/x" })).text).toMatch(/do not retry/);
  });

  it("[P8] that is merely refused is prepared: the call itself answers", async () => {
    expect((await prepared("put", { path: ".env" })).facts).toEqual({ kind: "writes", targets: [".env"] });
  });
});

describe("an escalation", () => {
  it("[P18][T10] is resolved to real absolute paths: ~/, relative, links, and what does not exist yet", async () => {
    symlinkSync(place.outside, join(place.workspace, "out"));
    symlinkSync(join(place.outside, "later"), join(place.workspace, "dangling"));
    const call = await prepared("put", ask(
      { path: "~/cache", access: "write", scope: "subtree" },
      { path: "../outside/../outside/f", access: "write", scope: "exact" },
      { path: "out/new/file", access: "write", scope: "exact" },
      { path: "dangling", access: "write", scope: "exact" },
      { path: ".env", access: "write", scope: "exact" },
    ));
    expect(call.escalation?.grants.map(({ path }) => path)).toEqual([
      join(place.home, "cache"),
      join(place.outside, "f"),
      join(place.outside, "new/file"),
      join(place.outside, "later"),
      join(place.workspace, ".env"),
    ]);
    expect(call.escalation?.justification).toBe("It is needed.");
    expect(call.input).toEqual({ path: "x" });
  });

  it.each([
    ["a justification without permissions", { path: "x", justification: "y" }, /^invalid tool input: `justification` is only for a call with/],
    ["permissions without a justification", { path: "x", sandboxPermissions: { paths: [{ path: "/o", access: "write", scope: "exact" }] } }, /^invalid tool input: `sandboxPermissions` needs a `justification`/],
    ["a blank justification", { path: "x", justification: " \n", sandboxPermissions: { paths: [{ path: "/o", access: "write", scope: "exact" }] } }, /^invalid tool input: `sandboxPermissions` needs a `justification`/],
    ["an empty justification", { path: "x", justification: "", sandboxPermissions: { paths: [{ path: "/o", access: "write", scope: "exact" }] } }, /^invalid tool input: `justification` was ""/],
    ["no entries", ask(), /^invalid tool input: `sandboxPermissions.paths`/],
    ["17 entries", ask(...Array.from({ length: 17 }, (_, n) => ({ path: `/o/${n}`, access: "write", scope: "exact" }))), /^invalid tool input: `sandboxPermissions.paths`/],
    ["an unknown access", ask({ path: "/o", access: "all", scope: "exact" }), /^invalid tool input: `sandboxPermissions.paths\[0\].access` was "all"; expected "read" or "write"$/],
    ["an unknown field", { ...ask({ path: "/o", access: "write", scope: "exact" }), sandboxPermissions: { everything: true, paths: [{ path: "/o", access: "write", scope: "exact" }] } }, /^invalid tool input: unknown field `everything`/],
    ["a NUL", ask({ path: "/o\0", access: "write", scope: "exact" }), /^invalid tool input: NUL in path/],
  ])("[P22] with %s is invalid_arguments", async (_name, input, text) => {
    expect(await refusal("put", input)).toMatchObject({ status: "failed", code: "invalid_arguments", text: expect.stringMatching(text) });
  });

  it.each([
    ["everything", "/", "subtree", /is too wide/],
    ["home", "~", "subtree", /is too wide/],
    ["what needs none", "src", "subtree", /needs no permission under the current policy/],
    ["hooks", ".git/hooks", "subtree", /is protected and cannot be granted in any mode/],
    ["the state home", "~/.fencepost/x", "exact", /is protected and cannot be granted/],
    ["a loop of links", "loop", "exact", /cannot be resolved \(ELOOP\)/],
  ])("[P22] for %s is refused with its own reason, without a card", async (_name, path, scope, text) => {
    symlinkSync("loop", join(place.workspace, "loop"));
    mkdirSync(join(place.workspace, ".git/hooks"), { recursive: true });
    expect(await refusal("put", ask({ path, access: "write", scope }))).toMatchObject({ status: "denied", code: "permission_denied", sandboxDenied: false, text: expect.stringMatching(text) });
  });

  it("[P9] cannot reach a hard-protected place through a link", async () => {
    mkdirSync(join(place.workspace, ".git/hooks"), { recursive: true });
    symlinkSync(join(place.workspace, ".git/hooks"), join(place.outside, "h"));
    expect((await refusal("put", ask({ path: "../outside/h", access: "write", scope: "subtree" }))).text).toMatch(/cannot be granted in any mode/);
  });

  it("[P4] judges what is already allowed by who asks: in accept-edits bash needs a grant where a file tool needs none", async () => {
    const paths = [{ path: "src", access: "write", scope: "subtree" }];
    const extras = { sandboxPermissions: { paths }, justification: "Build." };
    expect((await prepared("run", { command: "make", ...extras }, "accept-edits")).escalation?.grants).toHaveLength(1);
    expect((await refusal("put", { path: "x", ...extras }, "accept-edits")).text).toMatch(/needs no permission/);
  });
});

describe("a dangerous command", () => {
  it("[P26] is found in auto, and in accept-edits only with an escalation", async () => {
    const command = "echo a && rm -rf build";
    expect((await prepared("run", { command })).danger).toMatchObject({ key: "rm_recursive_or_force", text: "rm -rf build" });
    expect((await prepared("run", { command }, "accept-edits")).danger).toBeUndefined();
    const extras = { sandboxPermissions: { paths: [{ path: "build", access: "write", scope: "subtree" }] }, justification: "Clean." };
    expect((await prepared("run", { command, ...extras }, "accept-edits")).danger).toBeDefined();
    expect((await prepared("run", { command: "rm a.txt" })).danger).toBeUndefined();
  });

  it("[P13] is not looked for where no sandbox runs it", async () => {
    const bare = await makeTestPlace({ sandbox: { available: false, reason: "none", remedy: "none" } });
    try {
      const chosen = createToolRegistry([run]).finalize({ tools: ["run"] }, bare.session);
      expect(await chosen.prepare({ toolId: "run", input: { command: "rm -rf x" } }, bare.policy)).toMatchObject({ kind: "prepared" });
      expect(await chosen.prepare({ toolId: "run", input: { command: "rm -rf x" } }, bare.policy)).not.toHaveProperty("danger");
    } finally {
      await bare.remove();
    }
  });

  it("[P33] is refused by a host that asks nobody, and so is an escalation", async () => {
    const danger = await toolset.call({ toolId: "run", input: { command: "rm -rf x" } }, place.call());
    expect(danger).toMatchObject({ status: "denied", error: { code: "permission_denied" } });
    expect(resultText(danger)).toMatch(/^`rm -rf x` deletes \(rm_recursive_or_force\) and needs a user's approval/);
    const escalation = { sandboxPermissions: { paths: [{ path: "/o", access: "write", scope: "exact" }] }, justification: "y" };
    expect(resultText(await toolset.call({ toolId: "put", input: { path: "a", ...escalation } }, place.call()))).toMatch(/need a user's approval, and nobody is asked here/);
    expect(executed).toEqual([]);
  });
});

it("changes nothing on the disk and touches no file that it only names", async () => {
  writeFileSync(join(place.workspace, "a"), "1");
  await prepared("put", { path: "deep/new/file" });
  expect(() => mkdirSync(join(place.workspace, "deep"))).not.toThrow();
});
