import { describe, expect, it } from "vitest";
import { chooseToolOptions, type ToolChoices } from "../../src/context/choose-tool-options.ts";
import { defaultToolOptions } from "../../src/context/tool-options.ts";

/** Choices as a host in plain JavaScript writes them. */
function plain(choices: object): ToolChoices {
  return choices;
}

describe("tool options", () => {
  it("are the defaults but for what a host chooses, also among the options of commands", () => {
    expect(chooseToolOptions()).toEqual(defaultToolOptions);
    expect(chooseToolOptions({ readScope: "workspace", commands: { blockList: true } })).toEqual({ ...defaultToolOptions, readScope: "workspace", commands: { ...defaultToolOptions.commands, blockList: true } });
    expect(chooseToolOptions(plain({ readScope: undefined, commands: undefined }))).toEqual(defaultToolOptions);
  });

  it.each([
    [{ readscope: "workspace" }, "there is no tool option readscope; the options are readMaxScanBytes, writeExisting, "],
    [{ readScope: "workspce" }, 'the tool option readScope was "workspce"; expected "host-except-credentials" or "workspace"'],
    [{ writeExisting: true }, 'the tool option writeExisting was true; expected "after-read" or "refuse"'],
    [{ searchTimeoutMs: "30s" }, 'the tool option searchTimeoutMs was "30s"; expected a number'],
    [{ searchTimeoutMs: Number.NaN }, "the tool option searchTimeoutMs was NaN; expected 0 or more"],
    [{ scanBudget: { maxfiles: 5 } }, "there is no tool option scanBudget.maxfiles; the options are maxFiles, maxBytes, maxFileBytes"],
    [{ scanBudget: { maxFiles: -1 } }, "the tool option scanBudget.maxFiles was -1; expected 0 or more"],
    [{ extraSkipDirs: ["a/b"] }, 'the tool option extraSkipDirs held "a/b"; expected names of directories, without a slash'],
    [{ extraSkipDirs: "dist" }, 'the tool option extraSkipDirs was "dist"; expected a list'],
    [{ commands: { blocklist: true } }, "there is no tool option commands.blocklist; the options are antiHang, "],
    [{ commands: { blockList: "yes" } }, 'the tool option commands.blockList was "yes"; expected a boolean'],
  ])("%j is refused in one line, because what is passed over guards nothing", (choices, text) => {
    expect(() => chooseToolOptions(plain(choices))).toThrow(text);
  });
});
