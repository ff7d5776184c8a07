import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createValidator, modelSchema, resultText, type ToolResult } from "@fencepost/contract";
import { bubblewrapBackend, type SandboxBackend } from "@fencepost/sandbox";
import { bashTool } from "../../src/builtin/bash.ts";
import { commandTools } from "../../src/builtin/command-tools.ts";
import { editTool } from "../../src/builtin/edit.ts";
import { readTool } from "../../src/builtin/read.ts";
import type { CallContext } from "../../src/context/call-context.ts";
import { createLocalTaskStore } from "../../src/tasks/local-task-store.ts";
import { makePlace, openTestSession, type SessionChoices, type TestPlace, type TestSession } from "../process/test-session.ts";
import { createSandboxDouble } from "../process/unsandboxed-backend.ts";

let place: TestPlace;
const open: TestSession[] = [];
beforeAll(() => (place = makePlace()));
afterEach(async () => {
  for (const { session } of open.splice(0)) await session.tasks?.close();
});
afterAll(() => place.remove());

function openSession(choices: Partial<SessionChoices> = {}): TestSession {
  const opened = openTestSession({ place, ...choices });
  open.push(opened);
  return opened;
}

interface Answer extends ToolResult {
  readonly text: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

async function use({ session, call }: TestSession, toolId: string, input: object, extra?: Partial<CallContext>): Promise<Answer> {
  const tool = commandTools.find(({ id }) => id === toolId);
  if (!tool) throw new Error(`no tool ${toolId}`);
  const invalid = createValidator(modelSchema(tool.inputSchema))(input);
  if (invalid !== null) throw new Error(invalid);
  const result = await tool.execute(session, call(extra), input);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- read field by field below
  return { ...result, text: resultText(result), facts: (result.data ?? {}) as Readonly<Record<string, unknown>> };
}

const timeless = (text: string): string => text.replaceAll(/duration \d+ ms/g, "duration N ms");

async function until(done: () => Promise<boolean> | boolean): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (await done()) return;
    await delay(25);
  }
  throw new Error("waited in vain");
}

describe("start_command", () => {
  it("gives the full result of what ends inside the window", async () => {
    const result = await use(openSession(), "start_command", { command: "echo out; echo err >&2; exit 3" });
    expect(timeless(result.text)).toBe("out\nerr\n[exit 3; duration N ms]");
    expect(result.status).toBe("succeeded");
  });

  it("gives a handle and the output so far of what does not", async () => {
    const session = openSession();
    const result = await use(session, "start_command", { command: "echo ready; sleep 100", yieldTimeMs: 300 });
    expect(result.text).toBe("ready\n[task-1 is running. Read on with command_output taskId=task-1 offset=6; end it with cancel_command]");
    expect(result.facts).toMatchObject({ taskId: "task-1", state: "running", handle: "running", nextOffset: 6, acceptsInput: false });
    const at0 = await use(session, "start_command", { command: "sleep 101", yieldTimeMs: 0 });
    expect(at0.facts).toMatchObject({ taskId: "task-2", handle: "running" });
  });

  it("takes 0 or 250 to 119,000 ms and nothing else", async () => {
    for (const yieldTimeMs of [1, 249]) expect((await use(openSession(), "start_command", { command: "true", yieldTimeMs })).error?.code).toBe("invalid_arguments");
    await expect(use(openSession(), "start_command", { command: "true", yieldTimeMs: 119_001 })).rejects.toThrow("from 0 to 119000");
  });

  it("reuses a running command that is the same in command, directory, login and terminal", async () => {
    const session = openSession();
    const command = { command: "sleep 100", yieldTimeMs: 0 };
    await use(session, "start_command", command);
    expect((await use(session, "start_command", command)).facts).toMatchObject({ taskId: "task-1", handle: "already_running" });
    expect((await use(session, "start_command", { ...command, login: true })).facts).toMatchObject({ taskId: "task-2" });
    expect((await use(session, "start_command", { ...command, workdir: "/tmp" })).facts).toMatchObject({ taskId: "task-3" });
    expect((await use(session, "start_command", { ...command, duplicatePolicy: "start_new" })).facts).toMatchObject({ taskId: "task-4" });
  });

  it("has the same refusals as bash", async () => {
    const sandbox = createSandboxDouble();
    expect((await use(openSession({ sandbox, unavailable: "no bwrap" }), "start_command", { command: "true" })).error?.code).toBe("sandbox_unavailable");
    expect((await use(openSession({ sandbox, commands: { blockList: true } }), "start_command", { command: "sudo true" })).status).toBe("denied");
    expect((await use(openSession({ sandbox }), "start_command", { command: "true", workdir: "~/.ssh" })).status).toBe("denied");
    expect(sandbox.commands).toEqual([]);
  });

  it("says pty_unavailable where there is no terminal", async () => {
    const session = openSession();
    if ((await use(session, "command_terminal_capabilities", {})).facts["pty"] === true) return;
    const result = await use(session, "start_command", { command: "true", tty: true });
    expect(result.error?.details).toMatchObject({ kind: "pty_unavailable" });
    expect(result.text).toMatch(/^pty_unavailable: .*without tty/);
  });

  it("runs with the antiHang environment and the limits", async () => {
    expect((await use(openSession(), "start_command", { command: "echo $GIT_EDITOR $PAGER $TERM; ulimit -n" })).text).toMatch(/^true cat dumb\n4096\n/);
  });

  it("a cancelled turn does not touch it", async () => {
    const session = openSession();
    const result = await use(session, "start_command", { command: "sleep 100" }, { signal: AbortSignal.timeout(100) });
    expect(result.facts).toMatchObject({ handle: "running" });
    expect((await use(session, "command_status", { taskId: "task-1" })).facts["state"]).toBe("running");
  });
});

describe("command_output", () => {
  it("reads on from byte offsets and waits for more", async () => {
    const session = openSession();
    await use(session, "start_command", { command: "printf é1; sleep 0.4; echo two; sleep 100", yieldTimeMs: 0 });
    const first = await use(session, "command_output", { taskId: "task-1", waitMs: 5000 });
    expect(first.text).toBe("é1\n[task-1 is running; next offset=3]");
    const second = await use(session, "command_output", { taskId: "task-1", offset: 3, waitMs: 5000 });
    expect(second.text).toBe("two\n[task-1 is running; next offset=7]");
    expect((await use(session, "command_output", { taskId: "task-1", offset: 3, maxBytes: 2 })).facts["nextOffset"]).toBe(7);
    const none = await use(session, "command_output", { taskId: "task-1", offset: 7 });
    expect(none.text).toBe("[no output]\n[task-1 is running; next offset=7]");
  });

  it("follows a long output to its end, every byte once", async () => {
    const session = openSession();
    await use(session, "start_command", { command: "seq 9000" });
    let text = "";
    for (let offset = 0; ; ) {
      const part = await use(session, "command_output", { taskId: "task-1", offset, maxBytes: 10_000 });
      expect(Buffer.byteLength(part.text)).toBeLessThan(32_000);
      const next = Number(part.facts["nextOffset"]);
      text += Buffer.from(part.text).toString("utf8", 0, next - offset);
      if (next === offset) break;
      offset = next;
    }
    expect(text).toBe(Array.from({ length: 9000 }, (_, index) => `${index + 1}\n`).join(""));
  });

  it("keeps 1 MiB and says what was dropped", async () => {
    const session = openSession();
    await use(session, "start_command", { command: "head -c 3000000 /dev/zero | tr '\\0' x" });
    const { text, facts } = await use(session, "command_output", { taskId: "task-1" });
    const dropped = 3_000_000 - 1024 * 1024;
    expect(text).toMatch(new RegExp(`^\\[${dropped} older bytes are no longer kept\\]\n`));
    expect(facts).toMatchObject({ offset: dropped, droppedBytes: dropped });
    expect(readFileSync(String(facts["logPath"]), "utf8")).toHaveLength(3_000_000);
  });

  it("has no secret in it", async () => {
    const session = openSession({ commands: { secrets: { TOKEN: "very-secret-value" } } });
    await use(session, "start_command", { command: "echo $TOKEN; sleep 0.1; printf very-; sleep 0.1; echo secret-value" });
    expect((await use(session, "command_output", { taskId: "task-1" })).text).toMatch(/^\[redacted:TOKEN\]\n\[redacted:TOKEN\]\n/);
  });
});

describe("command_input", () => {
  it("writes to the command and shows its answer", async () => {
    const session = openSession();
    await use(session, "start_command", { command: "while read l; do echo got $l; done", acceptsInput: true, yieldTimeMs: 0 });
    const { text, facts } = await use(session, "command_input", { taskId: "task-1", input: "one\n", waitMs: 5000 });
    expect(text).toBe("got one\n[task-1 is running; next offset=8]");
    expect(facts).toMatchObject({ acceptedInput: true, nextOffset: 8 });
  });

  it("a lone U+0003 interrupts the group, mixed with text it is refused", async () => {
    const session = openSession();
    await use(session, "start_command", { command: "trap 'echo bye; exit 5' INT; echo up; while :; do sleep 0.05; done", yieldTimeMs: 300 });
    expect((await use(session, "command_input", { taskId: "task-1", input: "a\u0003" })).error?.code).toBe("invalid_arguments");
    await use(session, "command_input", { taskId: "task-1", input: "\u0003", waitMs: 5000 });
    await until(async () => (await use(session, "command_status", { taskId: "task-1" })).facts["state"] === "failed");
    expect(timeless((await use(session, "command_output", { taskId: "task-1" })).text)).toBe("up\nbye\n[exit 5; duration N ms]");
  });

  it("says why it was not accepted", async () => {
    const session = openSession();
    await use(session, "start_command", { command: "sleep 100", yieldTimeMs: 0 });
    expect((await use(session, "command_input", { taskId: "task-1", input: "x" })).facts).toMatchObject({ acceptedInput: false, reason: "it was started without acceptsInput" });
    await use(session, "start_command", { command: "true" });
    expect((await use(session, "command_input", { taskId: "task-2", input: "x" })).facts).toMatchObject({ acceptedInput: false, reason: "it is completed" });
    await use(session, "start_command", { command: "exec <&-; sleep 100", acceptsInput: true, yieldTimeMs: 250 });
    expect((await use(session, "command_input", { taskId: "task-3", input: "x" })).facts).toMatchObject({ acceptedInput: false });
  });

  it("is looked at as a command is", async () => {
    const tool = commandTools.find(({ id }) => id === "command_input");
    expect(tool?.inspect({ taskId: "t", input: "rm -rf x\n" })).toEqual({ kind: "runs", commands: ["rm -rf x\n"] });
    const session = openSession({ commands: { blockList: true } });
    await use(session, "start_command", { command: "bash", acceptsInput: true, yieldTimeMs: 0 });
    expect((await use(session, "command_input", { taskId: "task-1", input: "sudo id\n" })).status).toBe("denied");
  });
});

describe("cancel_command", () => {
  it("asks first, and kills after a second", async () => {
    const session = openSession();
    await use(session, "start_command", { command: "trap 'echo asked; exit' TERM; echo up; while :; do sleep 0.05; done", yieldTimeMs: 300 });
    const polite = await use(session, "cancel_command", { taskId: "task-1" });
    expect(polite.facts["state"]).toBe("cancelled");
    expect((await use(session, "command_output", { taskId: "task-1" })).text).toMatch(/^up\n(Terminated\n)?asked\n\[cancelled;/);
    await use(session, "start_command", { command: "trap '' TERM; echo up; while :; do sleep 0.05; done", yieldTimeMs: 300 });
    expect((await use(session, "cancel_command", { taskId: "task-2" })).facts["state"]).toBe("cancelled");
  });

  it("a second call kills at once", async () => {
    const sandbox = createSandboxDouble();
    const session = openSession({ sandbox });
    await use(session, "start_command", { command: "trap '' TERM; echo up; while :; do sleep 0.05; done", yieldTimeMs: 300 });
    await Promise.all([use(session, "cancel_command", { taskId: "task-1" }), use(session, "cancel_command", { taskId: "task-1" })]);
    expect(sandbox.events.slice(0, 3)).toEqual(["started", "SIGTERM", "SIGKILL"]);
  });

  it("of an ended or unknown task says so", async () => {
    const session = openSession();
    await use(session, "start_command", { command: "true" });
    expect((await use(session, "cancel_command", { taskId: "task-1" })).text).toContain("task-1 had already ended.");
    expect((await use(session, "cancel_command", { taskId: "nope" })).text).toBe('There is no task "nope"; there are task-1. Use list_commands to see them.');
  });
});

describe("the session's tasks", () => {
  it("are listed newest first with their states", async () => {
    const session = openSession();
    await use(session, "start_command", { command: "false" });
    await use(session, "start_command", { command: "true" });
    await use(session, "start_command", { command: "sleep 100", yieldTimeMs: 0 });
    const { text } = await use(session, "list_commands", {});
    expect(text.split("\n").map((line) => line.split(", ")[0])).toEqual(["task-3 running", "task-2 completed (exit 0)", "task-1 failed (exit 1)"]);
    expect((await use(session, "list_commands", { limit: 1 })).text).toContain("[showing the 1 newest of 3]");
  });

  it("are 64 at most: an ended one goes first, then the least recently used", async () => {
    let now = 1_000_000;
    const session = openSession({ now: () => now++ });
    const start = (seconds: number): Promise<Answer> => use(session, "start_command", { command: `sleep ${seconds}`, yieldTimeMs: 0 });
    for (let number = 1; number <= 63; number++) await start(1000 + number);
    await use(session, "start_command", { command: "true" });
    const ids = async (): Promise<readonly unknown[]> => session.session.tasks?.list().map((task) => task.taskId) ?? [];
    expect(await ids()).toHaveLength(64);
    await start(2000);
    expect(await ids()).toHaveLength(64);
    expect(await ids()).not.toContain("task-64");
    await use(session, "command_status", { taskId: "task-1" });
    const second = session.session.tasks?.list().find((task) => task.taskId === "task-2");
    await start(2001);
    expect(await ids()).not.toContain("task-2");
    expect(await ids()).toContain("task-1");
    await second?.ended;
    now += 11 * 24 * 60 * 60 * 1000;
    await start(2002);
    expect(await ids()).toEqual(["task-67"]);
  });

  it("stay queued until what they take the place of has ended, and are looked at for idleness by themselves", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      let now = 1_000_000;
      const sandbox = createSandboxDouble();
      const session = openSession({ sandbox, now: () => now++ });
      for (let number = 1; number <= 65; number++) await use(session, "start_command", { command: `sleep ${1000 + number}`, yieldTimeMs: 0 });
      expect(sandbox.events.slice(63)).toEqual(["started", "SIGKILL", "settled", "started"]);
      const tasks = session.session.tasks;
      now += 11 * 24 * 60 * 60 * 1000;
      await vi.advanceTimersByTimeAsync(60 * 60 * 1000);
      expect(tasks?.list()).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("each tells once that it ended, unless it was cancelled", async () => {
    const session = openSession();
    await use(session, "start_command", { command: "seq 3000; exit 2", yieldTimeMs: 0 });
    await use(session, "start_command", { command: "sleep 100", yieldTimeMs: 0 });
    await use(session, "cancel_command", { taskId: "task-2" });
    const tasks = session.session.tasks;
    await tasks?.find("task-1")?.ended;
    const notices = tasks?.takeNotices() ?? [];
    expect(notices.map((notice) => notice.taskId)).toEqual(["task-1"]);
    expect(timeless(notices[0]?.text ?? "")).toMatch(/^Background task-1 \(seq 3000; exit 2\) has ended\. \[exit 2; duration N ms\]\n[^]*\n3000$/);
    expect(notices[0]?.text.length).toBeLessThan(4200);
    expect(tasks?.takeNotices()).toEqual([]);
  });

  it("are interrupted by a restart and never resumed", async () => {
    const stateHome = join(place.home, ".fencepost");
    const before = openSession({ taskStore: createLocalTaskStore(stateHome, "restart") });
    await use(before, "start_command", { command: "sleep 100", yieldTimeMs: 0 });
    await use(before, "start_command", { command: "true" });
    const after = openSession({ taskStore: createLocalTaskStore(stateHome, "restart") });
    expect((await use(after, "command_status", { taskId: "task-1" })).text).toMatch(/^task-1 interrupted, \d+ s: sleep 100\n[^]*\[interrupted: the session was restarted/);
    expect((await use(after, "command_status", { taskId: "task-2" })).facts["state"]).toBe("completed");
    expect((await use(after, "start_command", { command: "sleep 100", yieldTimeMs: 0 })).facts["taskId"]).toBe("task-3");
  });

  it("closing ends all of them", async () => {
    const sandbox = createSandboxDouble();
    const session = openSession({ sandbox });
    await use(session, "start_command", { command: "sleep 100", yieldTimeMs: 0 });
    await session.session.tasks?.close();
    expect(sandbox.events).toEqual(["started", "SIGKILL", "settled"]);
    expect((await use(session, "start_command", { command: "true" })).text).toContain("The session is closing");
  });
});

describe("run_command_batch", () => {
  it("runs in order, with counts, states and borders", async () => {
    const { text, facts } = await use(openSession(), "run_command_batch", { items: [{ command: "echo a" }, { command: "exit 4" }, { command: "sleep 9", timeoutMs: 100 }, { command: "a\0" }] });
    expect(timeless(text)).toBe(
      "4 commands: 1 completed, 2 failed, 1 rejected\n\n===== 1/4 completed: echo a =====\na\n[exit 0; duration N ms]\n\n===== 2/4 failed: exit 4 =====\n[no output]\n[exit 4; duration N ms]\n\n===== 3/4 failed: sleep 9 =====\n[no output]\n[timed out after 100 ms; duration N ms]\n\n===== 4/4 rejected: a\0 =====\ninvalid tool input: `command` contains a NUL character; expected text. Use printf '\\0' to produce one.",
    );
    expect(facts["items"]).toMatchObject([{ state: "completed" }, { state: "failed" }, { state: "failed" }, { state: "rejected" }]);
  });

  it("stopOnError skips the rest", async () => {
    const { text } = await use(openSession(), "run_command_batch", { items: [{ command: "exit 1" }, { command: "touch ran" }], stopOnError: true });
    expect(text).toContain("===== 2/2 skipped: touch ran =====\n[skipped]");
    expect(readdirSync(place.workspace)).not.toContain("ran");
  });

  it("stays within a result, whatever its items print", async () => {
    const { text } = await use(openSession(), "run_command_batch", { items: Array.from({ length: 12 }, () => ({ command: "seq 9999" })) });
    expect(Buffer.byteLength(text)).toBeLessThan(31_488);
    expect(text.match(/^===== \d+\/12 completed: seq 9999 =====$/gm)).toHaveLength(12);
  });

  it("lists all its commands for one approval, and ends where nothing can run", async () => {
    const tool = commandTools.find(({ id }) => id === "run_command_batch");
    expect(tool?.inspect({ items: [{ command: "a" }, { command: "b\r\nc" }] })).toEqual({ kind: "runs", commands: ["a", "b\nc"] });
    expect((await use(openSession({ unavailable: "x" }), "run_command_batch", { items: [{ command: "true" }] })).error?.code).toBe("sandbox_unavailable");
  });

  it("[T11] cancelling keeps what was done", async () => {
    const controller = new AbortController();
    const progress: CallContext["progress"] = ({ text }) => (text.includes("b") ? controller.abort() : undefined);
    const result = await use(openSession(), "run_command_batch", { items: [{ command: "echo a" }, { command: "echo b; sleep 100" }, { command: "echo c" }] }, { signal: controller.signal, progress });
    expect(result.status).toBe("cancelled");
    expect(result.text).toMatch(/1 completed, 1 failed, 1 skipped/);
  });
});

describe("definitions", () => {
  it("every example fits its schema, and an unknown field does not", () => {
    for (const tool of commandTools) {
      const validate = createValidator(modelSchema(tool.inputSchema));
      for (const example of tool.examples) expect(validate(example), tool.id).toBeNull();
      expect(validate(Object.assign({}, tool.examples[0], { surprise: 1 })), tool.id).not.toBeNull();
      expect(tool.description + JSON.stringify(tool.inputSchema)).not.toMatch(/network|internet|isolat/i);
    }
  });
});

describe.runIf(process.platform === "linux")("in the real sandbox", () => {
  let sandbox: SandboxBackend;
  beforeAll(() => (sandbox = bubblewrapBackend()));
  afterAll(() => sandbox.close());

  it("a development server from its start to its end", async () => {
    writeFileSync(join(place.workspace, "server.mjs"), serverSource);
    writeFileSync(join(place.workspace, "message.txt"), "first");
    const mark = `dev-${process.pid}`;
    const session = openSession({ sandbox });
    const bash = async (command: string): Promise<string> => resultText(await bashTool.execute(session.session, session.call(), { command }));
    await use(session, "start_command", { command: `'${process.execPath}' server.mjs ${mark}; echo over`, yieldTimeMs: 0 });
    let offset = 0;
    let log = "";
    const readOn = async (): Promise<string> => {
      const part = await use(session, "command_output", { taskId: "task-1", offset, waitMs: 1000 });
      offset = Number(part.facts["nextOffset"]);
      return (log += part.text);
    };
    await until(async () => /listening on \d+/.test(await readOn()));
    const port = /listening on (\d+)/.exec(log)?.[1];
    const curl = `curl -s http://127.0.0.1:${port}/`;
    expect(await bash(curl)).toMatch(/^first\n\[exit 0/);
    await editTool.execute(session.session, await observed(session, "message.txt"), { filePath: "message.txt", oldString: "first", newString: "second" });
    await until(async () => (await readOn()).includes("reloaded: second"));
    expect(log.match(/listening on/g)).toHaveLength(1);
    expect(await bash(curl)).toMatch(/^second\n\[exit 0/);
    expect(processesWith(mark).length).toBeGreaterThan(0);
    expect((await use(session, "cancel_command", { taskId: "task-1" })).facts["state"]).toBe("cancelled");
    expect(processesWith(mark)).toEqual([]);
    expect(await bash(curl)).toMatch(/^\[no output\]\n\[exit 7;/);
  });

  it("[P54] 64 of them at once, the 65th in the place of one, and none is left at the end", { timeout: 120_000 }, async () => {
    const mark = `46${process.pid}`;
    const session = openSession({ sandbox });
    const started = await Promise.all(Array.from({ length: 64 }, (_, index) => use(session, "start_command", { command: `echo up; exec sleep ${mark}.${index}`, yieldTimeMs: 0 })));
    expect(started.map((answer) => answer.facts["handle"])).toEqual(Array.from({ length: 64 }, () => "running"));
    await until(() => running(mark) === 64);
    for (let number = 1; number <= 64; number++) await until(async () => (await use(session, "command_output", { taskId: `task-${number}`, offset: 0, waitMs: 5000 })).text.startsWith("up\n"));
    await use(session, "start_command", { command: `exec sleep ${mark}.64`, yieldTimeMs: 0 });
    await until(() => running(mark) === 64 && running(`${mark}.64`) === 1);
    expect(running(`${mark}.0\0`)).toBe(0);
    expect((await use(session, "list_commands", { limit: 100 })).facts["total"]).toBe(64);
    await session.session.tasks?.close();
    expect(running(mark)).toBe(0);
  });

  it("an interrupt reaches the children of the shell, and a cancel ends the namespace", async () => {
    const session = openSession({ sandbox });
    await use(session, "start_command", { command: "echo up; sleep 100; echo after", yieldTimeMs: 1000 });
    await use(session, "command_input", { taskId: "task-1", input: "\u0003" });
    await until(async () => (await use(session, "command_status", { taskId: "task-1" })).facts["state"] === "failed");
    expect((await use(session, "command_output", { taskId: "task-1" })).text).toMatch(/^up\n\[killed by SIGINT;/);
    await use(session, "start_command", { command: "setsid sh -c 'trap \"\" TERM; sleep 100' & trap '' TERM; sleep 100; sleep 100", yieldTimeMs: 500 });
    expect((await use(session, "cancel_command", { taskId: "task-2" })).facts["state"]).toBe("cancelled");
  });
});

/** A call after the file was read. */
async function observed({ session, call }: TestSession, path: string): Promise<CallContext> {
  await readTool.execute(session, call(), { path });
  return call();
}

/** Processes of this machine with a text among their arguments. */
function processesWith(text: string): readonly string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, "utf8").includes(text);
    } catch {
      return false;
    }
  });
}

/** How many of the marked sleepers run. */
function running(mark: string): number {
  return processesWith(`sleep\0${mark}`).length;
}

const serverSource = `
import { createServer } from "node:http";
import { readFileSync, watchFile } from "node:fs";
let message = readFileSync("message.txt", "utf8");
watchFile("message.txt", { interval: 50 }, () => {
  message = readFileSync("message.txt", "utf8");
  console.log("reloaded: " + message);
});
const server = createServer((_, response) => response.end(message + "\\n"));
server.listen(0, "127.0.0.1", () => console.log("listening on " + server.address().port));
`;
