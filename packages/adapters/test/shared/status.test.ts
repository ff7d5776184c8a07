import { failed, succeeded } from "@fencepost/contract";
import { foreignStatus, foreignStatuses, plainResult } from "@fencepost/adapters";
import { expect, it } from "vitest";

const exit = succeeded("[exit 1]", { data: { exitCode: 1, signal: null } });

it("a non-zero exit is a success unless a host wants it otherwise", () => {
  expect(plainResult(exit).failed).toBe(false);
  expect(plainResult(exit, { nonZeroExitFails: true }).failed).toBe(true);
  expect(plainResult(succeeded("", { data: { exitCode: null, signal: "SIGKILL" } }), { nonZeroExitFails: true }).failed).toBe(true);
  expect(plainResult(succeeded("", { data: { exitCode: 0, signal: null } }), { nonZeroExitFails: true }).failed).toBe(false);
});

it("statuses in other systems' words", () => {
  expect(foreignStatus(failed("permission_denied", "no"), foreignStatuses.a2a)).toBe("rejected");
  expect(foreignStatus(failed("cancelled", "no"), foreignStatuses.a2a)).toBe("canceled");
  expect(foreignStatus(exit, foreignStatuses.acp)).toBe("completed");
  expect(foreignStatus(exit, foreignStatuses.acp, { nonZeroExitFails: true })).toBe("failed");
  expect(foreignStatus(failed("outcome_unknown", "?"), { succeeded: "ok", failed: "bad", denied: "bad", cancelled: "bad", outcome_unknown: "?" })).toBe("?");
});

it("[T38] artifacts are not in a plain result", () => {
  expect(JSON.stringify(plainResult(succeeded("x", { artifacts: [{ kind: "file_change", payload: "secret" }] })))).not.toContain("secret");
});
