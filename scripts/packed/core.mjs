import assert from "node:assert/strict";
import { resultText } from "@fencepost/contract";
import { openSession } from "@fencepost/core";

const session = await openSession({ workspace: ".", stateHome: `${process.cwd()}/.state` });
const path = `core-${process.versions.node}.txt`;
const written = await session.call({ callId: "1", toolId: "write", input: { path, content: "hello\n" } });
assert.equal(written.status, "succeeded", resultText(written));
assert.equal((await session.undo(["1"])).changed.length, 1);
assert.equal((await session.call({ callId: "2", toolId: "read", input: { path } })).status, "failed");
await session.close();
