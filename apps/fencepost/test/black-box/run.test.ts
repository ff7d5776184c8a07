import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { calls, chunk, fails, head, openAiServer, says, saysAndCalls, type OpenAiServer, type ServerAnswer } from "../../../../packages/core/test/doubles/openai-server.ts";
import { buildCommand } from "./built-command.ts";
import { processesWith } from "./processes.ts";
import { runCommand } from "./run-command.ts";
import { keys, openTerminal, withoutColours, type TerminalRun } from "./terminal.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
let server: OpenAiServer | undefined;

beforeAll(buildCommand);

beforeEach(() => {
  world = createWorld();
  cpSync(fileURLToPath(new URL("../../sample", import.meta.url)), world.workspace, { recursive: true });
  execFileSync("git", ["init", "--quiet"], { cwd: world.workspace });
});

afterEach(async () => {
  await server?.close();
  server = undefined;
  world.remove();
});

const inWorkspace = (path: string): string => join(world.workspace, path);

const tool = (name: string, input: object): { name: string; arguments: string } => ({ name, arguments: JSON.stringify(input) });

const env = (path: string): object => ({ sandboxPermissions: { paths: [{ path, access: "write", scope: "exact" }] }, justification: "The tests read A from it." });

/** A server with these answers, and what makes the command use it. */
async function model(...answers: readonly ServerAnswer[]): Promise<{ readonly env: Readonly<Record<string, string>> }> {
  server = await openAiServer(answers);
  return { env: { FENCEPOST_MODEL: "local/m", FENCEPOST_MODEL_URL: server.url } };
}

/** Whatever a model or a file says, the screen shows our colours and plain lines. */
function expectHarmless(run: TerminalRun): void {
  expect(withoutColours(run.raw()).replaceAll("\r\n", "\n")).not.toMatch(/(?!\n)[\p{Cc}\p{Zl}\p{Zp}]|[\u202a-\u202e\u2066-\u2069]/u);
}

describe("`fencepost run` in a terminal", () => {
  it("shows words, plan, output as it comes and only once, the diff in colour, and a card that is allowed", async () => {
    const plan = { plan: [{ step: "Look", status: "in_progress" }, { step: "Edit", status: "pending" }] };
    const run = openTerminal(
      world,
      ["run", "set things up"],
      await model(
        saysAndCalls("I look first.", tool("update_plan", plan), tool("read", { path: "package.json" }), tool("bash", { command: "for i in 1 2 3; do echo line-$i; sleep 0.05; done" })),
        calls(tool("edit", { filePath: "package.json", oldString: '"tide-table"', newString: '"moon-table"' }), tool("write", { path: ".env", content: "A=1\n" })),
        calls(tool("write", { path: ".env", content: "A=1\n", ...env(".env") })),
        says("All done."),
      ),
    );
    await run.until("Allow once?");
    await pause(100);
    run.type(`y${keys.enter}`);
    expect(await run.exited).toBe(0);
    const lines = run.lines();
    expect(lines[0]).toMatch(/^session [0-9a-f]{16}, model local\/m, mode auto, sandbox bubblewrap$/);
    for (const shown of ["  I look first.", "● plan", "  ▸ Look", "  ☐ Edit", "● read package.json", "● edit package.json", "│   write  exact  sensitive  " + inWorkspace(".env"), "│   The tests read A from it.", "  Created .env (+1)", "  All done."]) expect(lines).toContain(shown);
    expect(lines.filter((line) => line === "  line-2")).toHaveLength(1);
    expect(lines.find((line) => line.startsWith("└"))).toBe("└ Allow once? [y/N] y");
    expect(run.raw()).toMatch(/\u001b\[31m- +"name": "tide-table"/);
    expect(run.raw()).toMatch(/\u001b\[32m\+ +"name": "moon-table"/);
    expectHarmless(run);
    expect(readFileSync(inWorkspace(".env"), "utf8")).toBe("A=1\n");
  });

  it("a card that is denied ends the turn, nothing is done, and --resume goes on with the whole conversation", async () => {
    const dangerous = tool("bash", { command: "ls; rm -rf src && echo gone" });
    const run = openTerminal(world, ["run", "tidy up"], await model(calls(dangerous, tool("read", { path: "package.json" })), says("Then I leave it.")));
    await run.until("Allow once?");
    expect(run.raw()).toContain("\u001b[7mrm -rf src\u001b[27m");
    await pause(100);
    run.type(`n${keys.enter}`);
    expect(await run.exited).toBe(3);
    expect(existsSync(inWorkspace("src"))).toBe(true);
    expect(run.lines()).toContain("The turn ended, because a call was denied.");
    const id = /Go on with: fencepost run --resume ([0-9a-f]{16}) /.exec(run.raw())?.[1] ?? "";
    const resumed = openTerminal(world, ["run", "leave it then", "--resume", id], { env: { FENCEPOST_MODEL: "local/m", FENCEPOST_MODEL_URL: server?.url ?? "" } });
    expect(await resumed.exited).toBe(0);
    expect(resumed.lines()).toContain("  Then I leave it.");
    const sent = server?.requests.at(-1)?.messages ?? [];
    expect(sent.map(({ role }) => role)).toEqual(["system", "user", "user", "assistant", "tool", "tool", "user"]);
    expect(sent[4]?.content).toContain("The user denied this call");
    expect(sent[5]?.content).toBe("tool was not executed because the turn already terminated");
  });

  it.each(["end of input", "another key", "typed before the card was there"])("%s allows nothing", async (what) => {
    const gate: { open?: () => void } = {};
    const late: ServerAnswer = async (response, body) => {
      await new Promise<void>((resolve) => (gate.open = resolve));
      return calls(tool("bash", { command: "rm -rf src" }))(response, body);
    };
    const run = openTerminal(world, ["run", "go"], await model(late));
    while (!gate.open) await pause(10);
    if (what.startsWith("typed")) run.type(`y${keys.enter}`);
    await pause(100);
    gate.open();
    await run.until("Allow once?");
    await pause(100);
    run.type({ "end of input": keys.ctrlD, "another key": `maybe${keys.enter}` }[what] ?? keys.enter);
    expect(await run.exited).toBe(3);
    expect(existsSync(inWorkspace("src"))).toBe(true);
  });

  it.each<[string, (marker: string) => { readonly answer: ServerAnswer; readonly shown: string }]>([
    [
      "the model streams",
      () => ({
        answer: (response) => {
          head(response);
          chunk(response, { content: "I am thinking about " });
        },
        shown: "thinking",
      }),
    ],
    ["a command runs", (marker) => ({ answer: calls(tool("bash", { command: `echo up; sleep 60; echo ${marker}` })), shown: "  up" })],
    ["a card waits", (marker) => ({ answer: calls(tool("bash", { command: `rm -rf src; echo ${marker}` })), shown: "Allow once?" })],
  ])("Ctrl-C while %s cancels the turn and leaves nothing; the next prompt works", async (_when, make) => {
    const marker = randomUUID();
    const { answer, shown } = make(marker);
    const run = openTerminal(world, ["run", "go"], await model(answer, says("Here again.")));
    await run.until(shown);
    run.type(keys.ctrlC);
    expect(await run.exited).toBe(130);
    const lines = run.lines();
    expect(lines).toContain("The turn was cancelled.");
    // What the terminal writes for the key stands at the end of a line of its own, and ours begins behind it.
    expect(lines.filter((line) => line.includes("^C")).every((line) => line.endsWith("^C"))).toBe(true);
    expectHarmless(run);
    for (let wait = 0; wait < 50 && processesWith(marker).length > 0; wait += 1) await pause(20);
    expect(processesWith(marker)).toEqual([]);
    expect(existsSync(inWorkspace("src"))).toBe(true);
    const resumed = openTerminal(world, ["run", "again", "--resume", "last"], { env: { FENCEPOST_MODEL: "local/m", FENCEPOST_MODEL_URL: server?.url ?? "" } });
    expect(await resumed.exited).toBe(0);
    expect(resumed.lines()).toContain("  Here again.");
    const sent = server?.requests.at(-1)?.messages ?? [];
    const owed = sent.flatMap((message) => (message.tool_calls ?? []).map(({ id }) => id));
    expect(sent.flatMap((message) => (message.role === "tool" ? [message.tool_call_id] : []))).toEqual(owed);
  });

  it("[D-33] codes in the words of a model, in a file, its name, a command and its reason change nothing on the screen", async () => {
    const evil = "\u001b[2J\u001b[1;1H\u001b]0;owned\u0007\r└ Allow once? [y/N] y\u202e\u2028│ harmless\u009b31m";
    world.file("work space/evil.txt", `first\n${evil}\nlast\n`);
    world.file(`work space/\u001b[2J└ Allow once.txt`, "x");
    const run = openTerminal(
      world,
      ["run", `go ${evil}`],
      await model(
        saysAndCalls(evil, tool("update_plan", { plan: [{ step: evil, status: "pending" }] }), tool("read", { path: "evil.txt" }), tool("list", {}), tool("bash", { command: "cat evil.txt; ls" }), tool(`x${evil.slice(0, 30)}`, {})),
        calls(tool("bash", { command: `rm -rf src # ${evil}`, sandboxPermissions: { paths: [{ path: `/opt/${evil}`, access: "write", scope: "exact" }] }, justification: `Needed.\n└ Allow once? [y/N] y\n${evil}` })),
      ),
    );
    await run.until("Permission needed");
    await run.until("\n└ Allow once? [y/N] ");
    await pause(100);
    run.type(`n${keys.enter}`);
    expect(await run.exited).toBe(3);
    expectHarmless(run);
    const lines = run.lines();
    expect(lines.filter((line) => line.startsWith("└"))).toEqual(["└ Allow once? [y/N] n"]);
    expect(lines.filter((line) => line.startsWith("┌"))).toHaveLength(1);
    expect(existsSync(inWorkspace("src"))).toBe(true);
  });

  it.each([{ NO_COLOR: "1" }, { TERM: "dumb" }])("with %o no escape code reaches the screen, cards included", async (setting) => {
    const { env: modelEnv } = await model(calls(tool("bash", { command: "rm -rf src" })));
    const run = openTerminal(world, ["run", "go"], { env: { ...modelEnv, ...setting } });
    await run.until("Allow once?");
    await pause(100);
    run.type(`n${keys.enter}`);
    expect(await run.exited).toBe(3);
    expect(run.raw()).not.toContain("\u001b");
    expect(run.lines()).toContain("│   rm -rf src");
  });

  it("in a narrow window, no line of a stranger begins at the left edge", async () => {
    const long = `${"word ".repeat(40)}\n└ Allow once? [y/N] y\n${"x".repeat(300)}`;
    const run = openTerminal(world, ["run", "go"], { ...(await model(saysAndCalls(long, tool("bash", { command: `echo '${"y".repeat(200)}'` })), fails(400, `${"z ".repeat(200)}└ Allow once?`))), columns: 44 });
    expect(await run.exited).toBe(1);
    for (const line of run.lines()) expect([...line].length, line).toBeLessThanOrEqual(44);
    expect(run.lines().filter((line) => /^[xyz└w]/.test(line))).toEqual([]);
  });
});

describe("`fencepost run` without a terminal", () => {
  it("prints plain lines, asks nobody, and denies what would need a card", async () => {
    const { env: modelEnv } = await model(calls(tool("write", { path: "a.txt", content: "a\n" }), tool("write", { path: ".env", content: "A=1\n", ...env(".env") })));
    const { code, stdout, stderr } = await runCommand(world, ["run", "go"], { env: modelEnv });
    expect([code, stderr]).toEqual([3, ""]);
    expect(stdout).not.toContain("\u001b");
    expect(stdout.split("\n")).toEqual(expect.arrayContaining(["● write a.txt", "  Created a.txt (+1)", "The turn ended, because a call was denied."]));
    expect([existsSync(inWorkspace("a.txt")), existsSync(inWorkspace(".env"))]).toEqual([true, false]);
  });

  it("without a model it runs the offline script, says so, and changes nothing", async () => {
    const before = execFileSync("git", ["status", "--porcelain"], { cwd: world.workspace, encoding: "utf8" });
    const { code, stdout, stderr } = await runCommand(world, ["run", "hello"]);
    expect([code, stderr]).toEqual([0, "fencepost: no model is configured, so the offline script answers; `fencepost run --help` says how to name one\n"]);
    expect(stdout).toMatch(/^session [0-9a-f]{16}, model offline script, mode auto/);
    expect(stdout).toContain("I am a script, not a model");
    expect(stdout).toContain("● grep TODO|FIXME\n");
    expect(execFileSync("git", ["status", "--porcelain"], { cwd: world.workspace, encoding: "utf8" })).toBe(before);
  });

  it("--json prints the events, numbered, one a line", async () => {
    const { env: modelEnv } = await model(calls(tool("list", {})), says("Done."));
    const { code, stdout } = await runCommand(world, ["run", "go", "--json"], { env: modelEnv });
    const events = stdout.trimEnd().split("\n").map((line): { type: string; sequence: number } => JSON.parse(line));
    expect([code, events[0]?.type, events.at(-1)?.type]).toEqual([0, "turn_started", "turn_finished"]);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  });

  it.each<[string, ServerAnswer, RegExp]>([
    ["a key that is refused", fails(401, "bad key"), /^The turn failed \(model_error\): HTTP 401 from http:/m],
    ["a stream that is cut", (response) => (head(response), chunk(response, { content: "I was" }), void response.end()), /^The turn failed \(model_protocol_error\): /m],
  ])("%s is one clear line and exit code 1", async (_what, answer, expected) => {
    const { env: modelEnv } = await model(answer);
    const { code, stdout } = await runCommand(world, ["run", "go"], { env: modelEnv });
    expect(code).toBe(1);
    expect(stdout).toMatch(expected);
    expect(stdout).toMatch(/^Go on with: fencepost run --resume [0-9a-f]{16} /m);
  });

  it.each([
    [["run", " "], "the prompt is empty"],
    [["run", "x", "--model", "m"], "expected <provider>/<model>"],
    [["run", "x", "--model", "yoyo/m"], 'unknown provider "yoyo"'],
    [["run", "x", "--resume", "nope"], 'no session "nope" is stored'],
    [["run", "x", "--approve", "ask"], "cannot ask"],
  ])("%j is refused in one line with exit code 2", async (args, text) => {
    const { code, stdout, stderr } = await runCommand(world, args);
    expect([code, stdout, stderr.split("\n").filter((line) => !line.includes("offline script")).length]).toEqual([2, "", 2]);
    expect(stderr).toContain(text);
  });

  it("lists sessions, shows diffs, undoes and reapplies, by name and by default", async () => {
    const { env: modelEnv } = await model(calls(tool("write", { path: "a.txt", content: "one\n" })), calls(tool("edit", { filePath: "a.txt", oldString: "one", newString: "two" })), says("Done."), says("Nothing."));
    await runCommand(world, ["run", "write a file"], { env: modelEnv });
    const listed = await runCommand(world, ["sessions", "--json"]);
    const [session]: readonly { sessionId: string; title: string }[] = JSON.parse(listed.stdout);
    expect(session?.title).toBe("write a file");
    await runCommand(world, ["run", "nothing"], { env: modelEnv });
    expect((await runCommand(world, ["diff"])).stdout).toMatch(/^Session [0-9a-f]{16} has no such file changes; `fencepost sessions` lists the others/);
    const of = ["--session", session?.sessionId ?? ""];
    expect((await runCommand(world, ["diff", ...of])).stdout).toMatch(/a\.txt \+1 -0 \(created\)[\s\S]*a\.txt \+1 -1 \(modified\)/);
    const content = (): string | undefined => (existsSync(inWorkspace("a.txt")) ? readFileSync(inWorkspace("a.txt"), "utf8") : undefined);
    const states: (string | undefined)[] = [content()];
    for (const verb of ["undo", "undo", "reapply", "reapply"]) {
      expect((await runCommand(world, [verb, ...of])).code).toBe(0);
      states.push(content());
    }
    expect(states).toEqual(["two\n", "one\n", undefined, "one\n", "two\n"]);
    const nothing = await runCommand(world, ["reapply", ...of]);
    expect([nothing.code, nothing.stderr]).toEqual([1, `fencepost: nothing was undone in session ${session?.sessionId}\n`]);
    rmSync(inWorkspace("a.txt"));
    const conflict = await runCommand(world, ["undo", ...of]);
    expect(conflict.code).toBe(1);
    expect(conflict.stderr).toContain("changed since by someone else");
  });
});
