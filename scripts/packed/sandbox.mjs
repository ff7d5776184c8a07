import assert from "node:assert/strict";
import { realpathSync } from "node:fs";
import { explain, platformBackend, resolveEnvironment, SandboxPolicy } from "@fencepost/sandbox";

const workspaceRoot = realpathSync(".");
const environment = resolveEnvironment({ workspaceRoot });
const policy = new SandboxPolicy({ mode: "auto", workspaceRoot, grants: [], environment, network: "host" });
assert.equal(policy.check(`${workspaceRoot}/a.txt`, "write", "file-tool").allowed, true);
assert.equal(policy.check(`${workspaceRoot}/.git/hooks/pre-commit`, "write", "file-tool").allowed, false);
assert.equal(typeof explain, "function");
const backend = platformBackend();
assert.equal(typeof (await backend.probe()).available, "boolean");
await backend.close();
