import { describe, expect, it } from "vitest";
import { openSession } from "../../src/session/open-session.ts";
import type { OpenSessionOptions } from "../../src/session/session.ts";
import { realWorkspace } from "../doubles/real-workspace.ts";

const place = realWorkspace();

/** As a host in plain JavaScript calls it. */
function open(options: object | undefined): Promise<unknown> {
  const plain: OpenSessionOptions = JSON.parse(JSON.stringify(options ?? null));
  return openSession(plain);
}

describe("options of a session that do not exist", () => {
  it.each([
    [{ mode: "accept_edits" }, 'mode was "accept_edits"; expected "accept-edits" or "auto"'],
    [{ network: "off" }, 'network was "off"; expected "host" or "none"'],
    [{ network: false }, 'network was false; expected "host" or "none"'],
    [{ approvals: "deny_all" }, 'approvals was "deny_all"; expected "ask-on-escalation" or '],
    [{ aprovals: "deny-all" }, 'openSession has no option "aprovals"; it takes workspace, mode, '],
    [{ approver: {} }, "approver has no decide; expected { decide: async (card) => "],
    [{ toolOptions: { readscope: "workspace" } }, "there is no tool option readscope; "],
    [{ toolOptions: { commands: { blocklist: true } } }, "there is no tool option commands.blocklist; "],
  ])("%j are refused in one line: passed over, it would leave open what it was to close", async (options, text) => {
    await expect(open({ workspace: place.path, ...options })).rejects.toThrow(text);
  });

  it.each([
    [undefined, 'openSession takes an object, such as { workspace: "." }'],
    [{}, "workspace was undefined; expected the path of a directory"],
    [{ workspace: "" }, 'workspace was ""; expected the path of a directory'],
    [{ workspace: 1 }, "workspace was 1; expected the path of a directory"],
  ])("a workspace that is none (%j) is told in one line", async (options, text) => {
    await expect(open(options)).rejects.toThrow(text);
  });
});
