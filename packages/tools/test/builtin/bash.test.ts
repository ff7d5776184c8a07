import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createValidator, modelSchema, resultText, type ProgressSink, type ToolResult } from "@fencepost/contract";
import { bashTool } from "../../src/builtin/bash.ts";
import type { CommandData } from "../../src/commands/present-run.ts";
import type { CallContext } from "../../src/context/call-context.ts";
import { defaultResourceLimits } from "../../src/process/resource-limits.ts";
import { makePlace, openTestSession, readSpill, type SessionChoices, type TestPlace } from "../process/test-session.ts";
import { createSandboxDouble } from "../process/unsandboxed-backend.ts";

let place: TestPlace;
beforeAll(() => (place = makePlace()));
afterAll(() => place.remove());

type Input = Parameters<typeof bashTool.execute>[2];

interface RunChoices extends Omit<SessionChoices, "place"> {
  readonly call?: Partial<CallContext>;
}

async function run(input: Input | string, { call, ...choices }: RunChoices = {}): Promise<ToolResult & { readonly text: string }> {
  const { session, call: callContext } = openTestSession({ place, ...choices });
  const result = await bashTool.execute(session, callContext(call), typeof input === "string" ? { command: input } : input);
  return { ...result, text: resultText(result) };
}

/** The text without its duration, which is nobody's to promise. */
const timeless = (text: string): string => text.replaceAll(/duration \d+ ms/g, "duration N ms");

function dataOf(result: ToolResult): CommandData {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- bash puts nothing else there
  return result.data as CommandData;
}

describe("one stream", () => {
  it("[B-40] keeps the order of standard output and standard error", async () => {
    const { text, status } = await run("for i in 1 2 3; do echo o$i; echo e$i >&2; done");
    expect(status).toBe("succeeded");
    expect(timeless(text)).toBe("o1\ne1\no2\ne2\no3\ne3\n[exit 0; duration N ms]");
  });

  it("is a pipe that opens by name, and standard input is empty", async () => {
    const { text } = await run("echo a > /dev/stdout; echo b > /dev/stderr; [ -p /dev/fd/1 ] && [ -p /dev/fd/2 ] && echo pipe; cat; readlink /dev/fd/0");
    expect(timeless(text)).toBe("a\nb\npipe\n/dev/null\n[exit 0; duration N ms]");
  });

  it("gives the command no descriptor but these three", async () => {
    const { text } = await run("for fd in /proc/self/fd/*; do n=${fd##*/}; [ $n -gt 2 ] && [ -e /proc/$$/fd/$n ] && readlink /proc/$$/fd/$n; done; echo done");
    expect(text.split("\n").filter((line) => line !== "/dev/null" && !line.endsWith("/fd"))).toEqual(["done", expect.stringMatching(/^\[exit 0/)]);
  });

  it("[B-14] removes escape sequences", async () => {
    expect(timeless((await run(String.raw`printf '\033[31mred\033[0m \033]0;title\007\033]8;;http://x\033\\link\033]8;;\033\\\n'`)).text)).toBe("red link\n[exit 0; duration N ms]");
  });

  it("[B-17] turns invalid UTF-8 into U+FFFD, and a NUL into a visible sign", async () => {
    expect(timeless((await run(String.raw`printf '\xff\xfe ok\0\n'`)).text)).toBe("\ufffd\ufffd ok\u2400\n[exit 0; duration N ms]");
  });

  it("[B-18] keeps a character whole that arrives in two parts", async () => {
    expect(timeless((await run(String.raw`printf '\xc3'; sleep 0.2; printf '\xa9\n'`)).text)).toBe("é\n[exit 0; duration N ms]");
  });

  it("[B-16] keeps a progress line one line", async () => {
    expect((await run(String.raw`for i in 1 2 3; do printf "\r$i"; done; echo`)).text.split("\n")).toHaveLength(2);
  });

  it("says so where there is no output", async () => {
    expect(timeless((await run("true")).text)).toBe("[no output]\n[exit 0; duration N ms]");
    expect(timeless((await run(String.raw`printf '\033[0m'`)).text)).toBe("[no output]\n[exit 0; duration N ms]");
  });

  it("adds the line break that the output lacks", async () => {
    expect(timeless((await run("printf x")).text)).toBe("x\n[exit 0; duration N ms]");
  });

  it("[B-59] ends with the command, whatever it does to its output", async () => {
    expect((await run("exec 1>&- 2>&-; sleep 0.1; exit 3")).text).toMatch(/^\[no output\]\n\[exit 3;/);
    expect((await run("yes | head -1; exec 1>&-; echo x")).status).toBe("succeeded");
  });

  it("[B-30] [B-31] hands the text to bash as it is", async () => {
    expect((await run("cat <<'EOF'\n$HOME `id` \\n\nEOF")).text).toMatch(/^\$HOME `id` \\n\n\[exit 0/);
    expect((await run('echo "hi!"')).text).toMatch(/^hi!\n/);
  });
});

describe("how it ended", () => {
  it("[T19] [B-25] [B-26] a non-zero exit is a success result that shows the code", async () => {
    const three = await run("exit 3");
    expect(three.status).toBe("succeeded");
    expect(three.error).toBeUndefined();
    expect(timeless(three.text)).toBe("[no output]\n[exit 3; duration N ms]");
    expect(dataOf(three).exitCode).toBe(3);
    writeFileSync(join(place.workspace, "file"), "x\n");
    expect((await run("grep nope file")).text).toMatch(/\[exit 1;/);
  });

  it("[B-24] death by a signal names it", async () => {
    const result = await run("echo before; kill -SEGV $$");
    expect(result.status).toBe("succeeded");
    expect(timeless(result.text)).toBe("before\n[killed by SIGSEGV; duration N ms]");
  });

  it("[T13] [B-06] a timeout is a failure with the output so far", async () => {
    const result = await run({ command: "echo start; sleep 100", timeoutMs: 300 });
    expect(result.status).toBe("failed");
    expect(timeless(result.text)).toBe("start\n[timed out after 300 ms; duration N ms]");
    expect(result.error).toMatchObject({ code: "timeout", retryable: false });
    expect(timeless(result.error?.message ?? "")).toBe("[timed out after 300 ms; duration N ms]");
  });

  it("[B-05] a command that ignores SIGTERM dies too", async () => {
    expect((await run({ command: "trap '' TERM INT HUP; while :; do sleep 1; done", timeoutMs: 200 })).error?.code).toBe("timeout");
  });

  it("[T11] [T12] [T13] cancelling kills the whole group and keeps the output so far", async () => {
    const controller = new AbortController();
    const marker = join(place.workspace, "alive");
    const watching = run(`echo begun; (while :; do date > '${marker}'; sleep 0.05; done) & wait`, {
      call: { signal: controller.signal, progress: () => controller.abort() },
    });
    const result = await watching;
    expect(result.status).toBe("cancelled");
    expect(result.error?.code).toBe("cancelled");
    expect(timeless(result.text)).toBe("begun\n[cancelled; duration N ms]");
    rmSync(marker, { force: true });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(existsSync(marker)).toBe(false);
  });

  it("[T12] both take the same path: SIGKILL, then wait until nothing is left", async () => {
    for (const interrupted of ["timeout", "cancel"]) {
      const sandbox = createSandboxDouble();
      const controller = new AbortController();
      const progress = (): void => (interrupted === "cancel" ? controller.abort() : undefined);
      await run({ command: "echo up; sleep 100", timeoutMs: interrupted === "cancel" ? 60_000 : 500 }, { sandbox, call: { signal: controller.signal, progress } });
      expect(sandbox.events).toEqual(["started", "SIGKILL", "settled"]);
    }
  });

  it("a call that is cancelled before it starts runs nothing", async () => {
    const sandbox = createSandboxDouble();
    const result = await run("touch ran", { sandbox, call: { signal: AbortSignal.abort() } });
    expect(result.status).toBe("cancelled");
    expect(timeless(result.text)).toBe("[no output]\n[cancelled; duration N ms]");
    expect(sandbox.commands).toEqual([]);
  });

  it("[T14] a kill that cannot be confirmed is outcome_unknown", async () => {
    const unconfirmed = await run({ command: "echo a; sleep 100", timeoutMs: 100 }, { sandbox: createSandboxDouble({ settlement: { gone: false } }) });
    expect(unconfirmed.status).toBe("outcome_unknown");
    expect(unconfirmed.error?.code).toBe("outcome_unknown");
    expect(unconfirmed.text).toContain("a\n");
    expect(unconfirmed.text).toContain("look at what it changed before you run it again");
  });

  it("[T14] so is one whose signal was refused", async () => {
    const refused = await run({ command: "sleep 0.5", timeoutMs: 50 }, { sandbox: createSandboxDouble({ signalAnswer: "failed" }) });
    expect(refused.status).toBe("outcome_unknown");
  });

  it("[B-01] a background child that keeps the pipe does not keep the call", async () => {
    const { text } = await run("sleep 300 & echo ok");
    expect(timeless(text)).toBe("ok\n[exit 0; duration N ms]");
  });

  it("a child outside the group that keeps the pipe does not keep it either", async () => {
    const { text } = await run("setsid sleep 5 & echo ok");
    expect(timeless(text)).toBe("ok\n[exit 0; duration N ms]");
  });
});

describe("limits", () => {
  it("[T36] [B-49] [B-50] the timeout is clamped to 1–120,000 ms", async () => {
    for (const [timeoutMs, limit] of [[0, 1], [-1, 1], [-5000, 1]] as const) {
      expect((await run({ command: "sleep 5", timeoutMs })).text).toContain(`[timed out after ${limit} ms;`);
    }
    expect((await run({ command: "echo ok", timeoutMs: 3_000_000_000 })).text).toMatch(/^ok\n\[exit 0/);
  });

  it("[T36] a deadline before the timeout counts", async () => {
    const { text } = await run({ command: "sleep 50", timeoutMs: 60_000 }, { call: { deadline: Date.now() + 2000 } });
    const limitMs = Number(/\[timed out after (\d+) ms;/.exec(text)?.[1]);
    expect(limitMs).toBeGreaterThan(0);
    expect(limitMs).toBeLessThanOrEqual(2000);
  });

  it("[B-50] a timeout that is no number is refused by its name, which says the unit", () => {
    const validate = createValidator(modelSchema(bashTool.inputSchema));
    expect(validate({ command: "true", timeoutMs: "60" })).toBe('invalid tool input: `timeoutMs` was "60"; expected a whole number');
    expect(validate({ command: "true", exitCode: 0 })).toContain("belongs to a result");
    for (const example of bashTool.examples) expect(validate(example)).toBeNull();
  });

  it("[T37] the description never reaches the model", async () => {
    const result = await run({ command: "echo x", description: "unspeakable" });
    expect(JSON.stringify(result.content)).not.toContain("unspeakable");
    expect(result.display?.title).toBe("unspeakable");
  });

  it("[B-55] core dumps are off; files, descriptors and processes bounded, and memory where the host says so", async () => {
    expect((await run("ulimit -c; ulimit -f; ulimit -n; ulimit -u")).text).toMatch(/^0\n2097152\n4096\n8192\n/);
    const limits = { ...defaultResourceLimits, memoryBytes: 64 * 1024 * 1024 };
    const hog = await run("x=x; while :; do x=$x$x; done; echo survived", { commands: { limits } });
    expect(hog.text).toMatch(/cannot allocate/);
    expect(hog.text).not.toContain("survived");
  });
});

describe("the command's text", () => {
  it("over 128 KiB reaches bash through a private file that is gone afterwards", async () => {
    const words = "x".repeat(200_000);
    const { text } = await run(`printf %s '${words}' | wc -c; stat -c %a "$0"; echo $#`);
    expect(text).toMatch(/^200000\n400\n0\n\[exit 0/);
    expect(readdirSync(join(place.home, ".fencepost", "scripts"))).toEqual([]);
  });

  it("has no NUL and is not blank", async () => {
    expect((await run("echo a\0b")).text).toMatch(/^invalid tool input: `command` contains a NUL/);
    expect((await run(" \n")).error?.code).toBe("invalid_arguments");
  });

  it("may have \\r\\n between its lines", async () => {
    expect((await run("echo a\r\nif true\r\nthen echo b\r\nfi")).text).toMatch(/^a\nb\n\[exit 0/);
  });
});

describe("where it starts", () => {
  it("in the workspace, and cd does not persist", async () => {
    expect((await run("pwd; cd /")).text).toContain(`${place.workspace}\n`);
    expect((await run("pwd")).text).toContain(`${place.workspace}\n`);
  });

  it("[T35] in workdir, if the fence lets it", async () => {
    mkdirSync(join(place.workspace, "sub"), { recursive: true });
    mkdirSync(join(place.home, ".ssh"), { recursive: true });
    symlinkSync(join(place.home, ".ssh"), join(place.workspace, "link"));
    expect((await run({ command: "pwd", workdir: "sub" })).text).toContain(`${place.workspace}/sub\n`);
    for (const workdir of [join(place.home, ".ssh"), "link", "~/.ssh"]) {
      const refused = await run({ command: "touch ran", workdir });
      expect(refused.status).toBe("denied");
      expect(refused.sandboxDenied).toBe(true);
    }
    expect((await run({ command: "pwd", workdir: "file" })).text).toContain("is not a directory");
  });

  it("[B-28] a vanished directory is named", async () => {
    const gone = makePlace();
    const { session, call } = openTestSession({ place: gone });
    rmSync(gone.workspace, { recursive: true });
    const result = await bashTool.execute(session, call(), { command: "pwd" });
    expect(resultText(result)).toContain(`The working directory ${gone.workspace} does not exist any more.`);
    expect(resultText(result)).not.toContain("ENOENT");
    gone.remove();
  });
});

describe("its environment", () => {
  it("[B-34] is scrubbed", async () => {
    process.env["OPENAI_API_KEY"] = "sk-not-for-children";
    try {
      const { text } = await run("env");
      expect(text).not.toContain("sk-not-for-children");
      for (const name of ["PATH", "HOME", "LANG", "TERM"]) expect(text).toMatch(new RegExp(`^${name}=`, "m"));
      expect(text).toMatch(/^LC_MESSAGES=C$/m);
      expect(text).not.toMatch(/^LC_ALL=/m);
    } finally {
      delete process.env["OPENAI_API_KEY"];
    }
  });

  it("[B-58] is UTF-8 without a locale of the host's", async () => {
    expect((await run(`bash -c 'x=é; echo \${#x}'`, { environment: { LANG: "C", LC_ALL: "C" } })).text).toMatch(/^1\n/);
  });

  it("[B-57] no profile is read", async () => {
    for (const name of [".bashrc", ".bash_profile", ".profile"]) writeFileSync(join(place.home, name), "echo welcome\n");
    expect((await run("echo x")).text).toMatch(/^x\n\[exit 0/);
  });

  it("[B-38] that is too large is said to be", async () => {
    const result = await run("true", { environment: { HUGE: "x".repeat(3_000_000) } });
    expect(result.error?.code).toBe("execution_failed");
    expect(result.text).toContain("larger than the system allows (E2BIG)");
  });

  it("[B-11] [B-13] antiHang leaves no editor, pager or prompt to wait for", async () => {
    const { text } = await run("env", { commands: { antiHang: "all" } });
    for (const line of ["GIT_EDITOR=true", "GIT_SEQUENCE_EDITOR=false", "GIT_TERMINAL_PROMPT=0", "TERM=dumb", "NO_COLOR=1", "PAGER=cat", "GIT_PAGER=cat"]) {
      expect(text.split("\n")).toContain(line);
    }
    expect((await run("env")).text).not.toContain("GIT_EDITOR");
  });
});

describe("secrets", () => {
  const commands = { secrets: { API_TOKEN: "s3cr3t-value-42" } };

  it("[B-36] reach the command and are redacted from what comes back, also in pieces", async () => {
    const { text } = await run('[ ${#API_TOKEN} = 15 ] && echo has it; echo "<$API_TOKEN>"; printf s3cr3t; sleep 0.1; printf "\\033[0m-value-42\\n"', { commands });
    expect(text).toMatch(/^has it\n<\[redacted:API_TOKEN\]>\n\[redacted:API_TOKEN\]\n/);
  });

  it("stay out of the spill and of arguments", async () => {
    const sandbox = createSandboxDouble();
    const result = await run("for i in $(seq 2000); do echo $API_TOKEN; done", { commands, sandbox });
    expect(result.text).not.toContain("s3cr3t");
    expect(await readSpill(dataOf(result).spillPath ?? "")).not.toContain("s3cr3t");
    expect(JSON.stringify(sandbox.commands[0]?.argv)).not.toContain("s3cr3t");
  });
});

describe("output over 16 KiB", () => {
  it("[T25] [B-22] exactly 16,384 bytes are whole, one more is not", async () => {
    const whole = await run("head -c 16384 /dev/zero | tr '\\0' x");
    expect(whole.text).toMatch(/^x{16384}\n\[exit 0/);
    expect(dataOf(whole).spillPath).toBeNull();
    const cut = await run("head -c 16385 /dev/zero | tr '\\0' x");
    const path = dataOf(cut).spillPath ?? "";
    expect(timeless(cut.text)).toBe(
      `${"x".repeat(2048)}\n... (1 bytes omitted. Full output saved at ${path} — use read with offset/limit, or grep, to look at it.)\n${"x".repeat(14_336)}\n[exit 0; duration N ms]`,
    );
    expect(await readSpill(path)).toBe("x".repeat(16_385));
  });

  it("[T25] [B-23] names the spill, which holds everything", async () => {
    const result = await run("seq 5000");
    const expected = Array.from({ length: 5000 }, (_, index) => `${index + 1}\n`).join("");
    expect(result.text).toContain(`... (${expected.length - 16_384} bytes omitted. Full output saved at ${dataOf(result).spillPath}`);
    expect(await readSpill(dataOf(result).spillPath ?? "")).toBe(expected);
  });

  it("[T27] [B-43] is the same without a path where it cannot be saved", async () => {
    const nowhere = { path: "/nowhere", open: () => ({ write: () => {}, finish: () => Promise.resolve(undefined), discard: () => Promise.resolve() }) };
    for (const spill of [nowhere, undefined]) {
      const result = await run("seq 5000", { spill });
      expect(result.status).toBe("succeeded");
      expect(result.text).toMatch(/\.\.\. \(\d+ bytes omitted\. The full output could not be saved\.\)\n/);
    }
  });

  it("[B-19] one line of 157 MB stays bounded", async () => {
    const result = await run("head -c 157000000 /dev/zero | tr '\\0' x", { spill: undefined });
    expect(result.text).toContain(`... (${157_000_000 - 16_384} bytes omitted. The full output could not be saved.)`);
    expect(Buffer.byteLength(result.text)).toBeLessThan(17_000);
  });

  it("[T15] [B-08] endless output ends at the timeout", async () => {
    const result = await run({ command: "cat /dev/urandom", timeoutMs: 500 }, { spill: undefined });
    expect(result.error?.code).toBe("timeout");
    expect(Buffer.byteLength(result.text)).toBeLessThan(17_000);
  });
});

describe("the sandbox's answers", () => {
  const denial = { classify: () => "denied" as const };

  it("[P17] a denied command keeps its exit code and ends with the marker and the way on", async () => {
    const result = await run("echo no; exit 1", { sandbox: createSandboxDouble({ settlement: denial }) });
    expect(result.status).toBe("succeeded");
    expect(result.sandboxDenied).toBe(true);
    expect(timeless(result.text)).toBe(
      "no\n[exit 1; duration N ms]\n[sandbox: file access denied under auto mode]\n[sandbox: to proceed, retry this exact command once with sandboxPermissions listing only the paths it needs, and a one-sentence justification; the user will be asked. If the paths cannot be listed, ask the user to run the command instead]",
    );
  });

  it("[P17] where nobody can be asked, the way on is another", async () => {
    const { text } = await run("exit 1", { sandbox: createSandboxDouble({ settlement: denial }), escalation: "non_interactive" });
    expect(text).not.toContain("retry this exact command");
    expect(text).toContain("do not retry");
  });

  it("the note about moved paths comes last, whatever the exit", async () => {
    const settlement = { violated: true, notes: ["[sandbox: 1 new protected paths were moved to /q: .env]"] };
    const result = await run("true", { sandbox: createSandboxDouble({ settlement }) });
    expect(result.sandboxDenied).toBe(true);
    expect(result.text.split("\n").map((line) => line.slice(0, 22))).toEqual(["[no output]", "[exit 0; duration", "[sandbox: file access", "[sandbox: to proceed, ", "[sandbox: 1 new protec"].map((start) => expect.stringContaining(start)));
  });

  it("a note is shown for a command that was killed, too", async () => {
    const settlement = { violated: true, notes: ["[sandbox: moved]"] };
    const { text, status } = await run({ command: "sleep 9", timeoutMs: 50 }, { sandbox: createSandboxDouble({ settlement }) });
    expect(status).toBe("failed");
    expect(text).toMatch(/\[timed out .*\n\[sandbox: file access .*\n.*\n\[sandbox: moved\]$/);
  });

  it("what it judges is the output as the model sees it", async () => {
    const seen: string[] = [];
    const settlement = {
      classify(output: string): "normal" {
        seen.push(output);
        return "normal";
      },
    };
    await run("seq 5000", { sandbox: createSandboxDouble({ settlement }) });
    expect(seen[0]).toContain("bytes omitted");
  });

  it("[B-60] an unavailable sandbox runs nothing and says how to go on", async () => {
    const sandbox = createSandboxDouble();
    const result = await run("touch ran", { sandbox, unavailable: "bubblewrap is not installed" });
    expect(result.error?.code).toBe("sandbox_unavailable");
    expect(result.text).toBe(
      "[sandbox: unavailable, so bash cannot run commands in this session (bubblewrap is not installed). File tools still work; ask the user to run the command in their own terminal if it is needed.]",
    );
    expect(sandbox.commands).toEqual([]);
    expect(existsSync(join(place.workspace, "ran"))).toBe(false);
  });

  it("[P15] a runner that failed by itself is sandbox_unavailable, not a denial", async () => {
    const result = await run("echo 'bwrap: no permission'; exit 1", { sandbox: createSandboxDouble({ settlement: { ran: false } }) });
    expect(result.error?.code).toBe("sandbox_unavailable");
    expect(result.sandboxDenied).toBe(false);
    expect(result.text).toContain("(bwrap: no permission)");
  });

  it("[P15] says what the sandbox says where it stopped the runner itself", async () => {
    const result = await run("true", { sandbox: createSandboxDouble({ settlement: { ran: false, notes: ["[sandbox: a directory was moved. Call again]"] } }) });
    expect([result.error?.code, result.text]).toEqual(["execution_failed", "[sandbox: a directory was moved. Call again]"]);
  });

  it("a runner that failed once, before the command ran, is started once more", async () => {
    const answers = [{ ran: false }, {}];
    const sandbox = createSandboxDouble({ settlementOf: () => answers.shift() ?? {} });
    const result = await run("echo once", { sandbox });
    expect(timeless(result.text)).toBe("once\n[exit 0; duration N ms]");
    expect(sandbox.commands).toHaveLength(2);
    expect((await run("true", { sandbox: createSandboxDouble({ settlementOf: () => ({ ran: false }) }) })).error?.code).toBe("sandbox_unavailable");
  });

  it("a refusal by limit runs nothing and gives its reason", async () => {
    const refuse = { refused: true, kind: "limit", message: "more than 500 protected directories" } as const;
    const result = await run("true", { sandbox: createSandboxDouble({ refuse }) });
    expect(result.error).toMatchObject({ code: "execution_failed", message: "more than 500 protected directories" });
  });

  it("a runner that cannot be started is an ordinary execution_failed, and its launch is settled", async () => {
    const sandbox = createSandboxDouble({ file: "/nonexistent/bwrap" });
    const result = await run("true", { sandbox });
    expect(result.error?.code).toBe("execution_failed");
    expect(sandbox.events).toEqual(["not started", "settled"]);
  });

  it("[P11] no text speaks of network or isolation", async () => {
    const texts = [bashTool.description, JSON.stringify(bashTool.inputSchema), (await run("exit 1", { sandbox: createSandboxDouble({ settlement: denial }) })).text];
    for (const text of texts) expect(text).not.toMatch(/network|internet|isolat|offline/i);
  });
});

describe("block list and host rules", () => {
  it("win over everything, where they are on", async () => {
    const sandbox = createSandboxDouble();
    const blocked = await run("sudo id", { sandbox, commands: { blockList: true } });
    expect(blocked.status).toBe("denied");
    expect(blocked.sandboxDenied).toBe(false);
    expect(blocked.error?.details).toMatchObject({ kind: "blocked_command", key: "sudo" });
    expect(sandbox.commands).toEqual([]);
  });
});

describe("progress", () => {
  it("[T39] tells of output as it comes", async () => {
    const events: unknown[] = [];
    await run("echo a; sleep 0.2; echo b >&2", { call: { progress: (event) => void events.push(event) } });
    expect(events).toEqual([
      { kind: "stdout", text: "a\n" },
      { kind: "stdout", text: "b\n" },
    ]);
  });

  it("[T39] a consumer that throws, rejects or never returns an answer changes nothing", async () => {
    const consumers: readonly ProgressSink[] = [
      () => {
        throw new Error("gone");
      },
      () => Promise.reject(new Error("gone")),
      () => new Promise<void>(() => {}),
    ];
    for (const progress of consumers) {
      expect((await run("echo a; sleep 0.05; echo b", { call: { progress } })).text).toMatch(/^a\nb\n\[exit 0/);
    }
  });

  it("[T39] a flood is not forwarded whole", async () => {
    let bytes = 0;
    await run("seq 3000000", { spill: undefined, call: { progress: (event) => void (bytes += event.text.length) } });
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(20_000_000);
  });
});
