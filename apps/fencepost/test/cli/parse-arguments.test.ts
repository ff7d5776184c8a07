import { describe, expect, it } from "vitest";
import { commands } from "../../src/cli/commands.ts";
import { commandHelp, overallHelp } from "../../src/cli/help.ts";
import { parseArguments } from "../../src/cli/parse-arguments.ts";
import { UsageError } from "../../src/cli/usage-error.ts";

const parse = (...argv: string[]): ReturnType<typeof parseArguments> => parseArguments(argv, commands);

function fault(...argv: string[]): string {
  try {
    parse(...argv);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error(`${argv.join(" ")} was accepted`);
}

describe("the command line", () => {
  it("takes options before and after the command, in both spellings", () => {
    for (const argv of [
      ["--workspace", "/w", "call", "list", "{}", "--mode=auto"],
      ["call", "list", "{}", "--mode", "auto", "--workspace=/w"],
    ]) {
      const parsed = parse(...argv);
      expect(parsed.kind === "run" && parsed.command.name).toBe("call");
      expect(parsed.kind === "run" && parsed.given).toEqual({ operands: ["list", "{}"], workspace: "/w", mode: "auto" });
    }
  });

  it("takes words after -- as they are", () => {
    const parsed = parse("explain", "--", "--odd-name");
    expect(parsed.kind === "run" && parsed.given.operands).toEqual(["--odd-name"]);
  });

  it("answers each mistake with one line that says what to do", () => {
    expect(fault("frobnicate")).toContain('unknown command "frobnicate"');
    expect(fault("call", "list", "{}", "--nope")).toBe("unknown option --nope; `fencepost --help` lists the options");
    expect(fault("call", "-x", "list")).toContain("unknown option -x");
    expect(fault("call", "list", "--mode", "wild")).toBe('--mode was "wild"; expected accept-edits, auto');
    expect(fault("call", "list", "--approve", "everything")).toContain("expected ask, allow, deny");
    expect(fault("call", "list", "--workspace")).toBe("--workspace needs a value");
    expect(fault("call", "list", "--workspace", "")).toBe("--workspace needs a DIR");
    expect(fault("call", "list", "--json=yes")).toContain("--json takes no value");
    expect(fault("call")).toContain("something is missing; expected `fencepost call <tool>");
    expect(fault("call", "list", "{}", "more")).toContain('"more" is too much');
    expect(fault("explain", "x", "--approve", "ask")).toBe("`fencepost explain` has no option --approve");
    expect(fault("doctor", "--progress")).toContain("has no option --progress");
    for (const argv of [["--mode"], ["--json", "call"], ["call", "list", "--mode", "x\ny"]]) expect(fault(...argv).split("\n").length).toBeLessThanOrEqual(2);
  });

  it("helps, in general and for each command", () => {
    expect(parse()).toEqual({ kind: "help" });
    expect(parse("--help")).toEqual({ kind: "help" });
    expect(parse("help", "call")).toMatchObject({ kind: "help", command: { name: "call" } });
    expect(parse("session", "-h")).toMatchObject({ kind: "help", command: { name: "session" } });
    expect(parse("--version")).toEqual({ kind: "version" });
    for (const command of commands) {
      expect(overallHelp(commands)).toContain(command.summary);
      for (const option of command.options) expect(commandHelp(command)).toContain(`--${option}`);
    }
    for (const line of overallHelp(commands).split("\n")) expect(line.length).toBeLessThanOrEqual(170);
  });
});
