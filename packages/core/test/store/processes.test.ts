import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/open-sqlite-store.ts";
import type { SessionStore } from "../../src/store/session-store.ts";
import { createConversation } from "../../src/conversation/conversation.ts";
import { bundle, type Bundle } from "../processes/bundle.ts";

const kills = process.env["FENCEPOST_DEEP"] === "1" ? 200 : 12;

let turning: Bundle;
let directory: string;

beforeAll(async () => {
  turning = await bundle("turning");
});

afterAll(() => turning.remove());

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "fencepost-kill-"));
  return () => rmSync(directory, { recursive: true, force: true });
});

function start(...more: readonly string[]): ChildProcess {
  return spawn(process.execPath, [turning.file, join(directory, "s.db"), join(directory, "executions"), ...more], { stdio: ["pipe", "pipe", "inherit"] });
}

async function output(child: ChildProcess): Promise<string> {
  let text = "";
  child.stdout?.on("data", (chunk) => (text += String(chunk)));
  await once(child, "exit");
  return text;
}

/** Each call has at most one result, each execution ran once, and only turns that did not end lack anything. */
async function expectSound(store: SessionStore): Promise<void> {
  const messages = (await store.messages("session")).map(({ message }) => message);
  const results = messages.flatMap((message) => (message.role === "tool" ? [message.callId] : []));
  expect(new Set(results).size).toBe(results.length);
  const executed = existsSync(join(directory, "executions")) ? readFileSync(join(directory, "executions"), "utf8").trim().split("\n") : [];
  expect(new Set(executed).size).toBe(executed.length);
  const asked = messages.flatMap((message) => (message.role === "assistant" ? message.toolCalls.map(({ input }) => input) : [])).join("\n");
  // Nothing ran before the message that asks for it was stored.
  expect(executed.filter((tag) => tag !== "" && !asked.includes(tag))).toEqual([]);
  const calls = messages.flatMap((message) => (message.role === "assistant" ? message.toolCalls : []));
  const request = createConversation(messages).forRequest();
  expect(request.filter((message) => message.role === "tool")).toHaveLength(calls.length);
}

describe("processes on one store", () => {
  it(`[C12] killed at ${kills} random moments: at most one turn is interrupted each time, nothing is repeated, the next turn works`, { timeout: 1_800_000 }, async () => {
    for (let kill = 0; kill < kills; kill += 1) {
      const child = start();
      const exited = once(child, "exit");
      if (child.stdout) await once(child.stdout, "data");
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 25));
      child.kill("SIGKILL");
      await exited;
      const store = await openSqliteStore(join(directory, "s.db"));
      expect((await store.recover()).length).toBeLessThanOrEqual(1);
      await expectSound(store);
      await store.close();
    }
    const last = start("1");
    expect(await output(last)).toBe("ready\n1\n");
    const store = await openSqliteStore(join(directory, "s.db"));
    expect(await store.recover()).toEqual([]);
    const turns = await store.turns("session");
    expect(turns.filter(({ outcome }) => outcome?.status === "interrupted").length).toBeLessThanOrEqual(kills);
    expect(turns.at(-1)?.outcome?.status).toBe("completed");
    await store.close();
  });

  it("[C21] two processes take turns on one session and lose or mix nothing", { timeout: 120_000 }, async () => {
    const first = await openSqliteStore(join(directory, "s.db"));
    await first.createSession({ sessionId: "session", workspace: "/home/ada/project", mode: "auto", createdAt: 1 });
    const both = await Promise.all([output(start("8")), output(start("8"))]);
    expect(both).toEqual(["ready\n8\n", "ready\n8\n"]);
    await expectSound(first);
    const turns = await first.turns("session");
    expect(turns.map(({ outcome }) => outcome?.status)).toEqual(Array.from({ length: 16 }, () => "completed"));
    const owners = (await first.messages("session")).map(({ turnId }) => turnId);
    const changes = owners.filter((turnId, index) => index > 0 && turnId !== owners[index - 1]).length;
    // The messages of one turn are together: no other turn wrote between them.
    expect(changes).toBe(15);
    await first.close();
  });
});
