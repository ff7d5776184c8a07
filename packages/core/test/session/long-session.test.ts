import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { replayedEvents } from "../../src/events/event-stream.ts";
import { advance, emptySnapshot, type SessionSnapshot } from "../../src/events/snapshot.ts";
import { scriptedModel, type ScriptedStep } from "../../src/model/scripted-model.ts";
import { openSqliteStore } from "../../src/store/sqlite/open-sqlite-store.ts";
import { drivenSession } from "../doubles/driven-session.ts";
import { gitGrant, scriptedApprover } from "../doubles/scripted-session.ts";

const turns = process.env["FENCEPOST_DEEP"] === "1" ? 2_000 : 150;

function* script(): Generator<ScriptedStep> {
  for (let turn = 0; ; turn += 1) {
    const bash = { toolId: "bash", input: { command: `make ${turn}`, ...(turn % 3 === 0 && { sandboxPermissions: gitGrant, justification: "x" }) } };
    yield { text: "Looking around.", calls: [{ toolId: "read", input: { path: `a${turn}` } }, bash, { toolId: "update_plan", input: { plan: [{ step: `${turn}`, status: "pending" }] } }] };
    yield { text: "Done." };
  }
}

it(`[C22] in ${turns} turns, replay and snapshot agree with a full log at every moment, and the store holds what the session does`, { timeout: 600_000 }, async () => {
  const directory = mkdtempSync(join(tmpdir(), "fencepost-long-"));
  try {
    const store = await openSqliteStore(join(directory, "s.db"));
    const { session, log } = await drivenSession(scriptedModel(script()), { store, parts: { approver: scriptedApprover("allow") } });
    const joined: { readonly at: SessionSnapshot; readonly heard: number[] }[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      const at = session.events.snapshot;
      const heard: number[] = [];
      const stop = session.events.subscribe(({ sequence }) => heard.push(sequence), { after: at.sequence });
      expect((await session.prompt(`turn ${turn}`)).outcome.status).toBe("completed");
      stop();
      joined.push({ at, heard });
      const replay = session.events.since(at.sequence);
      expect([replay.complete, replay.events.map(({ sequence }) => sequence)]).toEqual([true, heard]);
      expect(replay.events.reduce(advance, at)).toEqual(session.events.snapshot);
    }
    expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, index) => index + 1));
    expect(log.reduce(advance, emptySnapshot)).toEqual(session.events.snapshot);
    expect(joined.flatMap(({ heard }) => heard)).toEqual(log.map(({ sequence }) => sequence));
    expect(session.events.since(0)).toEqual({ events: log.slice(-replayedEvents), complete: log.length <= replayedEvents });
    expect((await store.messages("session")).map(({ message }) => message)).toEqual(session.messages);
    const outcomes = (await store.turns("session")).map(({ outcome }) => outcome?.status);
    expect([outcomes.length, new Set(outcomes)]).toEqual([turns, new Set(["completed"])]);
    expect((await store.spans("session")).filter(({ status }) => status === "succeeded")).toHaveLength(turns * 3);
    expect(session.records).toHaveLength(turns * 3);
    await session.close();
    await store.close();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
