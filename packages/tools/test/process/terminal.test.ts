import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setTimeout as delay } from "node:timers/promises";
import { resultText, type ToolResult } from "@fencepost/contract";
import { bubblewrapBackend, type SandboxBackend } from "@fencepost/sandbox";
import { commandTools } from "../../src/builtin/command-tools.ts";
import { leakedDescriptors } from "../../src/process/leaked-descriptors.ts";
import { terminalAvailability } from "../../src/process/terminal.ts";
import { makePlace, openTestSession, type TestPlace, type TestSession } from "./test-session.ts";

let place: TestPlace;
let sandbox: SandboxBackend;
let opened: TestSession;
beforeAll(() => {
  place = makePlace();
  sandbox = bubblewrapBackend();
  opened = openTestSession({ place, sandbox });
});
afterAll(async () => {
  await opened.session.tasks?.close();
  await sandbox.close();
  place.remove();
});

async function use(toolId: string, input: object): Promise<{ readonly text: string; readonly result: ToolResult; readonly facts: Record<string, unknown> }> {
  const tool = commandTools.find(({ id }) => id === toolId);
  if (!tool) throw new Error(toolId);
  const result = await tool.execute(opened.session, opened.call(), input);
  return { text: resultText(result), result, facts: Object.assign({}, result.data) };
}

async function until(done: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (await done()) return;
    await delay(25);
  }
  throw new Error("waited in vain");
}

// The addon is an optional package, and this kernel test is Linux's.
describe.runIf(terminalAvailability().available && process.platform === "linux")("a command with a terminal", () => {
  it("has one of the size asked for, owns it, takes input and can be resized", async () => {
    const started = await use("start_command", { command: "[ -t 0 ] && [ -t 1 ] && echo terminal; stty size; echo own > /dev/tty; read -r l; echo \"got $l\"; stty size; cat", tty: true, cols: 100, rows: 30, yieldTimeMs: 0 });
    const { taskId, token } = started.facts;
    const seen = async (): Promise<string> => (await use("command_output", { taskId })).text;
    await until(async () => (await seen()).includes("own"));
    expect(await seen()).toMatch(/terminal\r?\n30 100\r?\nown/);
    expect((await use("resize_command_pty", { taskId, token: "wrong", cols: 50, rows: 20 })).result.status).toBe("failed");
    expect((await use("resize_command_pty", { taskId, token, cols: 50, rows: 20 })).result.status).toBe("succeeded");
    await use("command_input", { taskId, token, input: "hello\n" });
    await until(async () => (await seen()).includes("20 50"));
    expect(await seen()).toContain("got hello");
    await use("command_input", { taskId, input: "\u0003" });
    await until(async () => (await use("command_status", { taskId })).facts["state"] !== "running");
    expect(await seen()).toMatch(/\[killed by SIGINT;|\[exit 130;/);
  });

  it("[P54] is asked to end as any other, and nothing of it is left", async () => {
    const { taskId } = (await use("start_command", { command: "trap 'echo asked; exit' TERM; echo up; while :; do sleep 0.05; done", tty: true, yieldTimeMs: 0 })).facts;
    await until(async () => (await use("command_output", { taskId })).text.includes("up"));
    expect((await use("cancel_command", { taskId })).facts["state"]).toBe("cancelled");
    expect((await use("command_output", { taskId })).text).toContain("asked");
  });

  it("gives its result where it ends at once, and leaves no open end behind", async () => {
    expect((await use("start_command", { command: "echo short", tty: true })).text).toMatch(/^short\r?\n\[exit 0;/);
    expect(leakedDescriptors().length).toBeLessThan(5);
  });
});
