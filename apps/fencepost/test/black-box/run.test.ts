import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { calls, chunk, fails, head, says, type ServerAnswer } from "../../../../packages/core/test/doubles/openai-server.ts";
import { commandPath } from "./built-command.ts";
import { asking, modelWorld, tool } from "./model-world.ts";
import { runCommand } from "./run-command.ts";

const at = modelWorld();

describe("`fencepost run` without a terminal", () => {
  it("prints plain lines, asks nobody, and denies what would need a card", async () => {
    const { env } = await at.model(calls(tool("write", { path: "a.txt", content: "a\n" }), tool("write", { path: ".env", content: "A=1\n", ...asking(".env") })));
    const { code, stdout, stderr } = await runCommand(at.world, ["run", "go"], { env });
    expect([code, stderr]).toEqual([3, "fencepost: a call needed a person's word and was denied, because standard input and standard error are no terminal; --approve says who answers\n"]);
    expect(stdout).not.toContain("\u001b");
    expect(stdout.split("\n")).toEqual(expect.arrayContaining(["● write a.txt", "  Created a.txt (+1)", "The turn ended, because a call was denied."]));
    expect([existsSync(at.path("a.txt")), existsSync(at.path(".env"))]).toEqual([true, false]);
  });

  it("without a model it runs the offline script, says so, and changes nothing", async () => {
    const before = execFileSync("git", ["status", "--porcelain"], { cwd: at.world.workspace, encoding: "utf8" });
    const { code, stdout, stderr } = await runCommand(at.world, ["run", "hello"]);
    expect([code, stderr]).toEqual([0, "fencepost: no model is configured, so the offline script answers; `fencepost run --help` says how to name one\n"]);
    expect(stdout).toMatch(/^session [0-9a-f]{16}, model offline script, mode auto/);
    expect(stdout).toContain("I am a script, not a model");
    expect(stdout).toContain("● grep TODO|FIXME\n");
    expect(execFileSync("git", ["status", "--porcelain"], { cwd: at.world.workspace, encoding: "utf8" })).toBe(before);
  });

  it("--json prints the events, numbered, one a line", async () => {
    const { env } = await at.model(calls(tool("list", {})), says("Done."));
    const { code, stdout } = await runCommand(at.world, ["run", "go", "--json"], { env });
    const events = stdout.trimEnd().split("\n").map((line): { type: string; sequence: number } => JSON.parse(line));
    expect([code, events[0]?.type, events.at(-1)?.type]).toEqual([0, "turn_started", "turn_finished"]);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  });

  it.each<[string, ServerAnswer, RegExp]>([
    ["a key that is refused", fails(401, "bad key"), /^The turn failed \(model_error\): HTTP 401 from http:/m],
    ["a stream that is cut", cutShort, /^The turn failed \(model_(?:protocol_)?error\): /m],
  ])("%s is one clear line and exit code 1", async (_what, answer, expected) => {
    const { env } = await at.model(answer);
    const { code, stdout } = await runCommand(at.world, ["run", "go"], { env });
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
    const { code, stdout, stderr } = await runCommand(at.world, args);
    expect([code, stdout, stderr.split("\n").length]).toEqual([2, "", 2]);
    expect(stderr).toContain(text);
  });

  it("the walk through docs/sessions.md goes as it says", async () => {
    const page = readFileSync(new URL("../../../../docs/sessions.md", import.meta.url), "utf8");
    const script = /```sh\n([\s\S]*?)```/.exec(page)?.[1]?.replace("$PWD/apps/fencepost/bin/fencepost.mjs", commandPath) ?? "";
    const commands = script.replaceAll(/^(fencepost undo) .*$/gm, "$1; test ! -e a.txt").replaceAll(/^(fencepost reapply) .*$/gm, "$1; test -e a.txt");
    const printed = execFileSync("bash", ["--norc", "-euc", `shopt -s expand_aliases\n${commands}`], { cwd: at.world.base, env: at.world.env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    expect(printed).toContain("a.txt +1 -0 (created)");
    expect(printed).toContain(`Restored ${at.world.home}/tryout/a.txt`);
    expect(printed).toContain(`Applied ${at.world.home}/tryout/a.txt`);
    expect(printed.match(/^ {2}Done\.$/gm)).toHaveLength(1);
  });

  it("lists sessions, shows diffs, undoes and reapplies, by name and by default", async () => {
    const { env } = await at.model(calls(tool("write", { path: "a.txt", content: "one\n" })), calls(tool("edit", { filePath: "a.txt", oldString: "one", newString: "two" })), says("Done."), says("Nothing."));
    await runCommand(at.world, ["run", "write a file"], { env });
    const listed = await runCommand(at.world, ["sessions", "--json"]);
    const [session]: readonly { sessionId: string; title: string; createdAt: string }[] = JSON.parse(listed.stdout);
    expect(session?.title).toBe("write a file");
    expect(session?.createdAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    await runCommand(at.world, ["run", "nothing"], { env });
    expect((await runCommand(at.world, ["diff"])).stdout).toMatch(/^Session [0-9a-f]{16} has no file changes; `fencepost sessions` lists the others/);
    const of = ["--session", session?.sessionId ?? ""];
    expect((await runCommand(at.world, ["diff", ...of])).stdout).toMatch(/a\.txt \+1 -0 \(created\)[\s\S]*a\.txt \+1 -1 \(modified\)/);
    const content = (): string | undefined => (existsSync(at.path("a.txt")) ? readFileSync(at.path("a.txt"), "utf8") : undefined);
    const states: (string | undefined)[] = [content()];
    for (const verb of ["undo", "undo", "reapply", "reapply"]) {
      expect((await runCommand(at.world, [verb, ...of])).code).toBe(0);
      states.push(content());
    }
    expect(states).toEqual(["two\n", "one\n", undefined, "one\n", "two\n"]);
    const nothing = await runCommand(at.world, ["reapply", ...of]);
    expect([nothing.code, nothing.stderr]).toEqual([1, `fencepost: nothing was undone in session ${session?.sessionId}\n`]);
    rmSync(at.path("a.txt"));
    const conflict = await runCommand(at.world, ["undo", ...of]);
    expect(conflict.code).toBe(1);
    expect(conflict.stderr).toContain("changed since by someone else");
  });
});

const cutShort: ServerAnswer = (response) => {
  head(response);
  chunk(response, { content: "I was" });
  response.end();
};
