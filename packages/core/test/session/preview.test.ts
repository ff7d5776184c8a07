import { resultText } from "@fencepost/contract";
import { expect, it } from "vitest";
import { gitGrant, scriptedApprover, scriptedSession } from "../doubles/scripted-session.ts";

const escalated = { command: "git commit -m x", sandboxPermissions: gitGrant, justification: "to commit" };

it("a preview says whether a call runs, is refused or asks, and leaves no trace", async () => {
  const approver = scriptedApprover("allow");
  const { session, toolset } = scriptedSession({ approver });
  expect(await session.preview({ callId: "1", toolId: "bash", input: { command: "ls" } })).toEqual({ kind: "runs" });
  const asks = await session.preview({ callId: "1", toolId: "bash", input: escalated });
  expect(asks).toMatchObject({ kind: "asks", card: { callId: "1", kinds: ["escalation"], command: "git commit -m x", justification: "to commit" } });
  const refused = await session.preview({ callId: "1", toolId: "write", input: { path: ".git/hooks/x" } });
  expect(refused).toMatchObject({ kind: "refused", result: { status: "denied" } });
  expect([approver.cards, toolset.executions, session.records]).toEqual([[], [], []]);
  // The id was not spent.
  expect((await session.call({ callId: "1", toolId: "bash", input: { command: "ls" } })).status).toBe("succeeded");
});

it("a preview knows where nobody can be asked", async () => {
  const { session } = scriptedSession();
  const preview = await session.preview({ callId: "1", toolId: "bash", input: escalated });
  expect(preview.kind === "refused" && resultText(preview.result)).toContain("nobody to ask");
  const asked = await session.preview({ callId: "1", toolId: "bash", input: escalated, approver: scriptedApprover("deny") });
  expect(asked.kind).toBe("asks");
  await session.close();
  expect((await session.preview({ callId: "1", toolId: "bash", input: escalated })).kind).toBe("refused");
});

it("[P19] a call's own approver answers its card in place of the session's, and no other's", async () => {
  const ofSession = scriptedApprover("deny");
  const ofCall = scriptedApprover("allow");
  const { session } = scriptedSession({ approver: ofSession });
  expect((await session.call({ callId: "1", toolId: "bash", input: escalated, approver: ofCall })).status).toBe("succeeded");
  expect((await session.call({ callId: "2", toolId: "bash", input: escalated })).status).toBe("denied");
  expect([ofCall.cards.map(({ callId }) => callId), ofSession.cards.map(({ callId }) => callId)]).toEqual([["1"], ["2"]]);
});
