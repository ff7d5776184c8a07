import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { calls, chunk, fails, head, says, saysAndCalls, type ServerAnswer } from "../../../../packages/core/test/doubles/openai-server.ts";
import { deferred } from "../../../../packages/core/src/async/deferred.ts";
import { asking, modelWorld, tool } from "./model-world.ts";
import { processesWith } from "./processes.ts";
import { withoutColours } from "../colours.ts";
import { keys, openTerminal, type TerminalRun } from "./terminal.ts";

const at = modelWorld();

/** Whatever a model or a file says, the screen shows our colours and plain lines. */
function expectHarmless(run: TerminalRun): void {
  expect(withoutColours(run.raw()).replaceAll("\r\n", "\n")).not.toMatch(/(?!\n)[\p{Cc}\p{Zl}\p{Zp}]|[\u202a-\u202e\u2066-\u2069]/u);
}

describe("`fencepost run` in a terminal", () => {
  it("shows words, plan, output as it comes and only once, the diff in colour, and a card that is allowed", async () => {
    const plan = { plan: [{ step: "Look", status: "in_progress" }, { step: "Edit", status: "pending" }] };
    const run = openTerminal(
      at.world,
      ["run", "set things up"],
      await at.model(
        saysAndCalls("I look first.", tool("update_plan", plan), tool("read", { path: "package.json" }), tool("bash", { command: "for i in 1 2 3; do echo line-$i; sleep 0.05; done" })),
        calls(tool("edit", { filePath: "package.json", oldString: '"tide-table"', newString: '"moon-table"' }), tool("write", { path: ".env", content: "A=1\n" })),
        calls(tool("write", { path: ".env", content: "A=1\n", ...asking(".env") })),
        says("All done."),
      ),
    );
    await run.until("Allow once?");
    await pause(100);
    run.type(`y${keys.enter}`);
    expect(await run.exited).toBe(0);
    const lines = run.lines();
    expect(lines[0]).toMatch(/^session [0-9a-f]{16}, model local\/m, mode auto, sandbox bubblewrap$/);
    for (const shown of ["  I look first.", "● plan", "  ▸ Look", "  ☐ Edit", "● read package.json", "● edit package.json", "│   write  exact  sensitive  " + at.path(".env"), "│   The tests read A from it.", "  Created .env (+1)", "  All done."]) expect(lines).toContain(shown);
    expect(lines.filter((line) => line === "  line-2")).toHaveLength(1);
    expect(lines.find((line) => line.startsWith("└"))).toBe("└ Allow once? [y/N] y");
    expect(run.raw()).toContain('\u001b[31m-   "name": "tide-table"');
    expect(run.raw()).toContain('\u001b[32m+   "name": "moon-table"');
    expectHarmless(run);
    expect(readFileSync(at.path(".env"), "utf8")).toBe("A=1\n");
  });

  it("a card that is denied ends the turn, nothing is done, and --resume goes on with the whole conversation", async () => {
    const dangerous = tool("bash", { command: "ls; rm -rf src && echo gone" });
    const { env } = await at.model(calls(dangerous, tool("read", { path: "package.json" })), says("Then I leave it."));
    const run = openTerminal(at.world, ["run", "tidy up"], { env });
    await run.until("Allow once?");
    expect(run.raw()).toContain("\u001b[7mrm -rf src\u001b[27m");
    await pause(100);
    run.type(`n${keys.enter}`);
    expect(await run.exited).toBe(3);
    expect(existsSync(at.path("src"))).toBe(true);
    const lines = run.lines();
    expect(lines.slice(lines.indexOf("└ Allow once? [y/N] n")).slice(1, 2)).toEqual([expect.stringMatching(/^ {2}The user denied this call/)]);
    expect(lines).toContain("The turn ended, because a call was denied.");
    const id = /Go on with: fencepost run --resume ([0-9a-f]{16}) /.exec(run.raw())?.[1] ?? "";
    const resumed = openTerminal(at.world, ["run", "leave it then", "--resume", id], { env });
    expect(await resumed.exited).toBe(0);
    expect(resumed.lines()).toContain("  Then I leave it.");
    const sent = at.requests.at(-1)?.messages ?? [];
    expect(sent.map(({ role }) => role)).toEqual(["system", "user", "user", "assistant", "tool", "tool", "user"]);
    expect(sent[4]?.content).toContain("The user denied this call");
    expect(sent[5]?.content).toBe("tool was not executed because the turn already terminated");
  });

  it.each(["end of input", "another key", "typed before the card was there"])("%s allows nothing", async (what) => {
    const asked = deferred<void>();
    const gate = deferred<void>();
    const late: ServerAnswer = async (response, body) => {
      asked.resolve();
      await gate.promise;
      return calls(tool("bash", { command: "rm -rf src" }))(response, body);
    };
    const run = openTerminal(at.world, ["run", "go"], await at.model(late));
    await asked.promise;
    if (what.startsWith("typed")) run.type(`y${keys.enter}`);
    await pause(100);
    gate.resolve();
    await run.until("Allow once?");
    await pause(100);
    run.type({ "end of input": keys.ctrlD, "another key": `maybe${keys.enter}` }[what] ?? keys.enter);
    expect(await run.exited).toBe(3);
    expect(run.lines()).toContain("The turn ended, because a call was denied.");
    expect(existsSync(at.path("src"))).toBe(true);
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
    const { env } = await at.model(answer, says("Here again."));
    const run = openTerminal(at.world, ["run", "go"], { env });
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
    expect(existsSync(at.path("src"))).toBe(true);
    const resumed = openTerminal(at.world, ["run", "again", "--resume", "last"], { env });
    expect(await resumed.exited).toBe(0);
    expect(resumed.lines()).toContain("  Here again.");
    const sent = at.requests.at(-1)?.messages ?? [];
    const owed = sent.flatMap((message) => (message.tool_calls ?? []).map(({ id }) => id));
    expect(sent.flatMap((message) => (message.role === "tool" ? [message.tool_call_id] : []))).toEqual(owed);
  });

  it("[D-33] codes in the words of a model, in a file, its name, a command and its reason change nothing on the screen", async () => {
    const evil = "\u001b[2J\u001b[1;1H\u001b]0;owned\u0007\r└ Allow once? [y/N] y\u202e\u2028│ harmless\u009b31m";
    at.world.file("work space/evil.txt", `first\n${evil}\nlast\n`);
    at.world.file(`work space/\u001b[2J└ Allow once.txt`, "x");
    const run = openTerminal(
      at.world,
      ["run", `go ${evil}`],
      await at.model(
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
    expect(existsSync(at.path("src"))).toBe(true);
  });

  it.each([{ NO_COLOR: "1" }, { TERM: "dumb" }])("with %o no escape code reaches the screen, cards included", async (setting) => {
    const { env } = await at.model(calls(tool("bash", { command: "rm -rf src" })));
    const run = openTerminal(at.world, ["run", "go"], { env: { ...env, ...setting } });
    await run.until("Allow once?");
    await pause(100);
    run.type(`n${keys.enter}`);
    expect(await run.exited).toBe(3);
    expect(run.raw()).not.toContain("\u001b");
    expect(run.lines()).toContain("│   rm -rf src");
  });

  it("in a narrow window, no line of a stranger begins at the left edge", async () => {
    const long = `${"word ".repeat(40)}\n└ Allow once? [y/N] y\n${"x".repeat(300)}`;
    const run = openTerminal(at.world, ["run", "go"], { ...(await at.model(saysAndCalls(long, tool("bash", { command: `echo '${"y".repeat(200)}'` })), fails(400, `${"z ".repeat(200)}└ Allow once?`))), columns: 44 });
    expect(await run.exited).toBe(1);
    const ours = /^(?:session |Go on with: |fencepost: the model.s address is http)/;
    for (const line of run.lines()) expect(ours.test(line) ? 0 : Array.from(line).length, line).toBeLessThanOrEqual(44);
    expect(run.lines().filter((line) => /^[xyz└w]/.test(line))).toEqual([]);
  });
});
