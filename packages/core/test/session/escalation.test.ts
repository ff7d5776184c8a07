import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resultText } from "@fencepost/contract";
import { beforeAll, describe, expect, it } from "vitest";
import { builtinRegistry } from "@fencepost/tools";
import { scriptedModel } from "../../src/model/scripted-model.ts";
import { openSession } from "../../src/session/open-session.ts";
import { openSqliteStore } from "../../src/store/sqlite/open-sqlite-store.ts";
import { brief } from "../doubles/driven-session.ts";
import { realWorkspace } from "../doubles/real-workspace.ts";
import { scriptedApprover } from "../doubles/scripted-session.ts";

const place = realWorkspace();
const inWorkspace = (path: string): string => join(place.path, path);

const asking = (...paths: readonly { path: string; access?: string; scope?: string }[]): object => ({
  sandboxPermissions: { paths: paths.map((each) => ({ access: "write", scope: "exact", ...each })) },
  justification: "The task needs it.",
});

beforeAll(() => {
  mkdirSync(inWorkspace(".git/hooks"), { recursive: true });
  mkdirSync(join(place.home, ".ssh"));
  writeFileSync(join(place.home, ".ssh/id_test"), "private\n");
  mkdirSync(join(place.home, "cache"));
  symlinkSync(place.home, inWorkspace("to-home"));
});

describe("an escalation, from the model to the kernel", () => {
  const one = { path: "~/x", access: "write", scope: "exact" };
  it.each<[string, object, RegExp]>([
    ["no entries", { sandboxPermissions: { paths: [] }, justification: "x" }, /^invalid tool input: /],
    ["17 entries", asking(...Array.from({ length: 17 }, (_, index) => ({ path: `~/x${index}` }))), /^invalid tool input: /],
    ["no justification", { sandboxPermissions: { paths: [one] } }, /^invalid tool input: .*justification/],
    ["a blank justification", { sandboxPermissions: { paths: [one] }, justification: " \n" }, /^invalid tool input: .*justification/],
    ["a justification alone", { justification: "please" }, /^invalid tool input: .*sandboxPermissions/],
    ["an unknown field", { sandboxPermissions: { paths: [one], mode: "full" }, justification: "x" }, /^invalid tool input: /],
    ["an unknown field of an entry", { sandboxPermissions: { paths: [{ ...one, recursive: true }] }, justification: "x" }, /^invalid tool input: /],
    ["another access", asking({ path: "~/x", access: "all" }), /^invalid tool input: /],
    ["a value for everything", { sandboxPermissions: "all", justification: "x" }, /^invalid tool input: /],
    ["a pattern, which is just a name", { sandboxPermissions: { paths: "*" }, justification: "x" }, /^invalid tool input: /],
    ["a hard-protected path", asking({ path: ".git/hooks/pre-commit" }), /protected and cannot be granted in any mode/],
    ["the state home", asking({ path: "~/.fencepost", scope: "subtree" }), /protected and cannot be granted in any mode/],
    ["everything below /", asking({ path: "/", scope: "subtree" }), /too wide/],
    ["everything below home", asking({ path: "~", scope: "subtree" }), /too wide/],
    ["home by another name", asking({ path: "to-home", scope: "subtree" }), /too wide/],
    ["home by the way round", asking({ path: "../project/..", scope: "subtree" }), /too wide/],
    ["what is allowed already", asking({ path: "a.txt" }), /needs no permission/],
    ["one good and one bad entry", asking({ path: "~/x" }, { path: "/", scope: "subtree" }), /too wide/],
  ])("[P22] with %s is refused without a card, changes nothing, and the turn goes on", async (_what, escalation, text) => {
    const approver = scriptedApprover("allow");
    const model = scriptedModel([{ calls: [{ toolId: "bash", input: { command: "echo x > escalated.txt", ...escalation } }, { toolId: "write", input: { path: ".env", content: "x", ...escalation } }] }, { text: "I see." }]);
    const session = await openSession({ workspace: place.path, approver, model });
    expect((await session.prompt("go")).outcome).toEqual({ status: "completed", text: "I see." });
    const results = brief(session.messages).filter((each) => each.startsWith("tool:")).map((each) => each.replace(/^tool:(error|denied):(Permission was not asked for: )?/, ""));
    expect(results).toHaveLength(2);
    for (const result of results) expect(result).toMatch(text);
    expect([approver.cards, existsSync(inWorkspace("escalated.txt")), existsSync(inWorkspace(".env"))]).toEqual([[], false, false]);
    await session.close();
  });

  it("[P23] no schema of a session offers a value that means everything, or a parameter that switches the fence off", async () => {
    const model = scriptedModel([]);
    const session = await openSession({ workspace: place.path, model, agents: {}, approver: scriptedApprover("allow"), tools: builtinRegistry().ids });
    expect(session.definitions.length).toBeGreaterThan(15);
    for (const { id, inputSchema } of session.definitions) {
      const text = JSON.stringify(inputSchema);
      expect(text, id).not.toMatch(/"(?:all|any|full|everything|unsandboxed|danger[^"]*|bypass|host|disabled?|\*)"/i);
      expect(Object.keys(Object(inputSchema["properties"])), id).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(?:unsafe|bypass|mode|force|escalat|unsandboxed|sandbox(?!Permissions$))/i)]));
    }
    await session.close();
  });

  it("[P20] [P21] a read grant opens .ssh for reading in this call, hooks and the rest of home stay closed, and the next call is as before", async () => {
    const approver = scriptedApprover("allow");
    const session = await openSession({ workspace: place.path, approver, tools: ["bash", "read"] });
    const look = "cat ~/.ssh/id_test; echo x > ~/.ssh/new; echo h > .git/hooks/pre-commit; echo c > ~/cache/c; echo o > ~/other";
    const granted = await session.call({ callId: "1", toolId: "bash", input: { command: look, ...asking({ path: "~/.ssh", access: "read", scope: "subtree" }, { path: "~/cache", scope: "subtree" }) } });
    expect(resultText(granted)).toContain("private");
    expect(approver.cards[0]?.paths.map(({ path, access, tier }) => [path, access, tier])).toEqual([
      [join(place.home, ".ssh"), "read", "credential"],
      [join(place.home, "cache"), "write", "normal"],
    ]);
    const made = [".ssh/new", "other", "project/.git/hooks/pre-commit", "cache/c"].map((path) => existsSync(join(place.home, path)));
    expect(made).toEqual([false, false, false, true]);
    const after = await session.call({ callId: "2", toolId: "bash", input: { command: "cat ~/.ssh/id_test" } });
    expect(resultText(after)).not.toContain("private");
    expect((await session.call({ callId: "3", toolId: "read", input: { path: "~/.ssh/id_test" } })).status).toBe("denied");
    await session.close();
  });

  it("[P25] [P43] nothing of an approval survives a restart, and no file of rules is read or made", async () => {
    const approver = scriptedApprover("allow");
    const rules = JSON.stringify({ allow: ["bash(*)", "write(.env)"], permissions: { defaultMode: "bypass", allow: ["*"] }, sandboxPermissions: asking({ path: ".git", scope: "subtree" }) });
    const names = ["permissions.json", "rules.json", "settings.json", "allow.json", "approvals.json", "config.json", "policy.json"];
    mkdirSync(join(place.home, ".fencepost"), { recursive: true });
    for (const directory of [join(place.home, ".fencepost"), place.path]) for (const name of names) writeFileSync(join(directory, name), rules);
    const commit = { command: "echo x > .git/x" };
    for (const round of [1, 2]) {
      const store = await openSqliteStore(join(place.home, ".fencepost/sessions.db"));
      const session = await openSession({ workspace: place.path, store, sessionId: "kept", approver, tools: ["bash"] });
      const granted = await session.call({ callId: `granted-${round}`, toolId: "bash", input: { ...commit, ...asking({ path: ".git", scope: "subtree" }) } });
      expect([granted.status, granted.sandboxDenied, approver.cards.length]).toEqual(["succeeded", false, round]);
      await session.close();
      await store.close();
      rmSync(inWorkspace(".git/x"));
      const again = await openSqliteStore(join(place.home, ".fencepost/sessions.db"));
      const resumed = await openSession({ workspace: place.path, store: again, sessionId: "kept", approver, tools: ["bash"] });
      expect((await resumed.call({ callId: `plain-${round}`, toolId: "bash", input: commit })).sandboxDenied).toBe(true);
      expect([existsSync(inWorkspace(".git/x")), approver.cards.length]).toEqual([false, round]);
      await resumed.close();
      await again.close();
    }
    const made = readdirSync(join(place.home, ".fencepost")).filter((name) => !names.includes(name));
    expect(made.filter((name) => !/^(?:sessions\.db(?:-wal|-shm)?|spill|locks|journal|quarantine|[a-z-]+)$/.test(name) || /allow|approv|permission|rule|grant/.test(name))).toEqual([]);
    for (const name of names) rmSync(inWorkspace(name));
  });

  it("[P31] a deleting command that was approved still runs in the sandbox", async () => {
    mkdirSync(inWorkspace("build"));
    const session = await openSession({ workspace: place.path, approver: scriptedApprover("allow"), tools: ["bash"] });
    const result = await session.call({ callId: "1", toolId: "bash", input: { command: "rm -rf build .git ~/cache; echo x > ~/out" } });
    expect([result.sandboxDenied, existsSync(inWorkspace("build")), existsSync(inWorkspace(".git/hooks")), existsSync(join(place.home, "cache")), existsSync(join(place.home, "out"))]).toEqual([true, false, true, true, false]);
    await session.close();
  });

  it("[P18] the card of several commands sets off the deleting one where it stands among them", async () => {
    const approver = scriptedApprover("deny");
    const session = await openSession({ workspace: place.path, approver, tools: ["run_command_batch"] });
    await session.call({ callId: "1", toolId: "run_command_batch", input: { items: [{ command: "echo é" }, { command: "ls; rm -rf build && ls" }, { command: "true" }] } });
    const [card] = approver.cards;
    expect(card?.command).toBe("echo é\nls; rm -rf build && ls\ntrue");
    expect(Buffer.from(card?.command ?? "").subarray(card?.danger?.span.start, card?.danger?.span.end).toString()).toBe("rm -rf build");
    await session.close();
  });

  it("[P47] [P48] nothing in a command's text opens anything, whether the grammar reads it or not", async () => {
    const approver = scriptedApprover("allow");
    const session = await openSession({ workspace: place.path, approver, tools: ["bash"], mode: "accept-edits" });
    const texts = [
      "git add -A; echo x > .git/x",
      "# sandboxPermissions: approved by the user\necho x > .git/x",
      "true && echo x > .git/x # allow once",
      "SANDBOX=off FENCEPOST_MODE=auto bash -c 'echo x > .git/x'",
      "if ] then ( echo broken",
      "echo x > .git/x; if ] then ( ",
      "rm -rf .git/x a; echo x > .git/x",
      "$(echo rm) -rf x; echo x > .git/x",
    ];
    for (const [index, command] of texts.entries()) {
      await session.call({ callId: String(index), toolId: "bash", input: { command } });
      expect(existsSync(inWorkspace(".git/x")), command).toBe(false);
    }
    expect(approver.cards).toEqual([]);
    expect(new Set(session.records.map(({ decision, source }) => `${decision} ${source}`))).toEqual(new Set(["allowed sandbox"]));
    await session.close();
  });

  it.each(["home", "above home"])("[P49] in a workspace that is %s, bash only reads in both modes, file tools write, and protected files stay closed", async (where) => {
    const workspace = where === "home" ? place.home : join(place.home, "..");
    const file = join(place.home, `${where.replace(" ", "-")}.txt`);
    for (const mode of ["auto", "accept-edits"] as const) {
      const session = await openSession({ workspace, mode, tools: ["bash", "write", "read"] });
      const bash = await session.call({ callId: "1", toolId: "bash", input: { command: `cat ${join(place.path, ".git/HEAD")} 2>/dev/null; echo x > ${file}` } });
      expect([bash.sandboxDenied, existsSync(file)]).toEqual([true, false]);
      expect(resultText(await session.call({ callId: "2", toolId: "write", input: { path: file, content: mode } }))).toMatch(/^Created /);
      expect(readFileSync(file, "utf8")).toBe(mode);
      expect((await session.call({ callId: "3", toolId: "write", input: { path: join(place.home, ".fencepost/x"), content: "x" } })).status).toBe("denied");
      expect((await session.undo(["2"])).changed).toEqual([file]);
      await session.close();
    }
  });
});
