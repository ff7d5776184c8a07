import assert from "node:assert/strict";
import { createValidator, effectiveRisk, failed, resultText, succeeded } from "@fencepost/contract";

assert.equal(resultText(succeeded("done")), "done");
assert.equal(failed("permission_denied", "no").status, "denied");
assert.equal(effectiveRisk("read_only", undefined), "process_execution");
const validate = createValidator({ type: "object", properties: { path: { type: "string" } }, required: ["path"], additionalProperties: false });
assert.equal(validate({ path: "a" }), null);
assert.match(validate({}) ?? "", /`path` is missing/);
