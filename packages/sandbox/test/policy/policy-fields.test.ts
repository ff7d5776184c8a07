import { describe, expect, it } from "vitest";
import { resolveEnvironment } from "../../src/policy/host/resolve-environment.ts";
import { SandboxPolicy } from "../../src/policy/policy.ts";
import type { SandboxPolicyFields } from "../../src/policy/policy-fields.ts";

const workspaceRoot = "/srv/project";
const good: SandboxPolicyFields = { mode: "auto", workspaceRoot, grants: [], environment: resolveEnvironment({ workspaceRoot }), network: "none" };

describe("the fields of a policy", () => {
  it("are kept as they are", () => {
    expect(new SandboxPolicy(good)).toMatchObject(good);
  });

  it.each([
    [{ mode: "accept_edits" }, 'mode of a policy was "accept_edits"; expected "accept-edits" or "auto"'],
    [{ network: "off" }, 'network of a policy was "off"; expected "host" or "none"'],
    [{ network: undefined }, 'network of a policy was undefined; expected "host" or "none"'],
    [{ workspaceRoot: "project" }, 'workspaceRoot of a policy was "project"; expected an absolute, normalised path, such as canonicalWorkspace gives'],
    [{ workspaceRoot: "/srv/../project" }, "expected an absolute, normalised path"],
    [{ grants: undefined }, "grants of a policy was undefined; expected a list"],
    [{ grants: [{ path: "/a", access: "wirte", scope: "exact" }] }, 'access of a policy was "wirte"; expected "read" or "write"'],
    [{ grants: [{ path: "/a", access: "write", scope: "all" }] }, 'scope of a policy was "all"; expected "exact" or "subtree"'],
    [{ environment: undefined }, "environment of a policy was undefined; expected what resolveEnvironment gives"],
  ])("with %j are refused in one line, because a word that no rule knows would refuse nothing", (fields, text) => {
    const plain: SandboxPolicyFields = Object.assign({ ...good }, fields);
    expect(() => new SandboxPolicy(plain)).toThrow(text);
  });
});
