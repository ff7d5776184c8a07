import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resultText, type ToolResult } from "@fencepost/contract";
import { bubblewrapBackend, type SandboxBackend } from "@fencepost/sandbox";
import { bashTool } from "../../src/builtin/bash.ts";
import type { CommandData } from "../../src/commands/present-run.ts";
import type { CallContext } from "../../src/context/call-context.ts";
import { makePlace, openTestSession, readSpill, type SessionChoices, type TestPlace } from "../process/test-session.ts";

const onLinux = process.platform === "linux";
let place: TestPlace;
let sandbox: SandboxBackend;
beforeAll(() => {
  place = makePlace();
  sandbox = bubblewrapBackend();
});
afterAll(async () => {
  await sandbox.close();
  place.remove();
});

type Input = Parameters<typeof bashTool.execute>[2];

async function run(input: Input | string, extra: Partial<SessionChoices> & { readonly call?: Partial<CallContext> } = {}): Promise<ToolResult & { readonly text: string; readonly facts: CommandData }> {
  const { session, call } = openTestSession({ place, sandbox, ...extra });
  const result = await bashTool.execute(session, call(extra.call), typeof input === "string" ? { command: input } : input);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- bash puts nothing else there
  return { ...result, text: resultText(result), facts: result.data as CommandData };
}

const timeless = (text: string): string => text.replaceAll(/duration \d+ ms/g, "duration N ms");

/** Processes of this machine whose command line holds a text. */
function processesWith(text: string): readonly string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, "utf8").includes(text);
    } catch {
      return false;
    }
  });
}

// The kernel of another platform is tested where it runs.
describe.runIf(onLinux)("bash in the real sandbox", () => {
  it("[B-40] keeps one ordered stream, and the streams open by name", async () => {
    const { text } = await run("for i in 1 2 3; do echo o$i; echo e$i >&2; done; echo x >/dev/stderr; echo y >/dev/stdout; cat");
    expect(timeless(text)).toBe("o1\ne1\no2\ne2\no3\ne3\nx\ny\n[exit 0; duration N ms]");
  });

  it("hands on standard streams and nothing else", async () => {
    const { text } = await run("ls -l /proc/self/fd | awk '{print $9, $10, $11}'");
    const descriptors = text.split("\n").filter((line) => /^\d+ /.test(line) && !line.includes("/dev/null") && !line.includes("/proc/"));
    expect(descriptors.map((line) => line.split(" ")[0])).toEqual(expect.arrayContaining(["2"]));
    expect(descriptors.every((line) => /^[12] /.test(line) || line.includes("pipe:"))).toBe(true);
  });

  it("[B-52] is denied by the kernel, whatever the command is called", async () => {
    const targets = ["echo x > /etc/fencepost-test", "echo x | tee ../../fencepost-test", `python3 -c "open('/etc/fencepost-test','w')"`];
    for (const command of targets) {
      const result = await run(command);
      expect(result.sandboxDenied, command).toBe(true);
      expect(result.status).toBe("succeeded");
      expect(result.text, command).toMatch(/\[exit 1; .*\n\[sandbox: file access denied under auto mode\]\n\[sandbox: to proceed, /);
    }
    expect(existsSync("/etc/fencepost-test")).toBe(false);
  });

  it("[B-24] names the signal", async () => {
    expect(timeless((await run("kill -SEGV $$")).text)).toBe("[no output]\n[killed by SIGSEGV; duration N ms]");
    expect(readdirSync(place.workspace).filter((name) => name.startsWith("core"))).toEqual([]);
  });

  it("[P54] [B-01] leaves no process behind, whether it ended, was killed or was cancelled", async () => {
    const mark = `31${process.pid}`;
    expect(timeless((await run(`(setsid sleep ${mark} &) ; sleep ${mark} & nohup sleep ${mark} & disown; echo ok`)).text)).toBe("ok\n[exit 0; duration N ms]");
    expect(processesWith(mark)).toEqual([]);
    const late = await run({ command: `echo begun; (setsid sleep ${mark} &); trap '' TERM; sleep ${mark}`, timeoutMs: 400 });
    expect(timeless(late.text)).toBe("begun\n[timed out after 400 ms; duration N ms]");
    expect(processesWith(mark)).toEqual([]);
    const controller = new AbortController();
    const cancelled = await run(`echo begun; setsid sleep ${mark} & sleep ${mark}`, { call: { signal: controller.signal, progress: () => controller.abort() } });
    expect(timeless(cancelled.text)).toBe("begun\n[cancelled; duration N ms]");
    expect(processesWith(mark)).toEqual([]);
  });

  it("[T12] cancelling at any moment of the start ends in cancelled and leaves nothing", async () => {
    const mark = `32${process.pid}`;
    for (const delay of [0, 1, 3, 6, 9, 15]) {
      const result = await run(`sleep ${mark}`, { call: { signal: AbortSignal.timeout(delay) } });
      expect(result.status).toBe("cancelled");
    }
    expect(processesWith(mark)).toEqual([]);
  });

  it("runs a command over 128 KiB that it cannot change", async () => {
    const { text } = await run(`: '${"x".repeat(200_000)}'; echo "size $(stat -c %s "$0")"; chmod u+w "$0"; echo more >> "$0"`);
    expect(text).toMatch(/^size 2000\d\d\n/);
    expect(text).toContain("Read-only file system");
  });

  it("[T26] [B-46] its spill can be read by a command and not written", async () => {
    const spilled = (await run("seq 9999")).facts.spillPath ?? "";
    expect(await readSpill(spilled)).toContain("\n5000\n");
    expect((await run(`tail -1 '${spilled}'`)).text).toMatch(/^9999\n/);
    for (const command of [`echo x >> '${spilled}'`, `rm '${spilled}'`, `mv '${spilled}' moved`]) {
      expect((await run(command)).facts.exitCode, command).not.toBe(0);
    }
    expect(await readSpill(spilled)).not.toContain("x");
  });

  it("[B-34] [B-36] shows no secret of the host, not even to a look at its runner", async () => {
    process.env["AWS_SECRET_ACCESS_KEY"] = "not-for-children";
    try {
      const { text } = await run("env; tr '\\0' '\\n' < /proc/1/environ; tr '\\0' ' ' < /proc/1/cmdline", { commands: { secrets: { TOKEN: "value-of-token" } } });
      expect(text).not.toContain("not-for-children");
      expect(text).not.toContain("value-of-token");
      expect(text).toContain("TOKEN=[redacted:TOKEN]");
    } finally {
      delete process.env["AWS_SECRET_ACCESS_KEY"];
    }
  });

  it("[B-38] an environment that is too large is said to be", async () => {
    expect((await run("true", { environment: { HUGE: "x".repeat(3_000_000) } })).text).toContain("(E2BIG)");
  });

  it("[B-55] a command that multiplies is ended with all it made", async () => {
    const mark = `33${process.pid}`;
    const result = await run({ command: `for i in $(seq 200); do (sleep ${mark} & sleep ${mark}) & done; wait`, timeoutMs: 1500 });
    expect(result.error?.code).toBe("timeout");
    expect(processesWith(mark)).toEqual([]);
  });

  it("[B-11] [B-13] nothing waits for an editor or a password", async () => {
    const repo = join(place.workspace, "repo");
    mkdirSync(repo, { recursive: true });
    writeFileSync(join(repo, "a"), "a");
    const git = "git -c user.name=a -c user.email=a@b -c init.defaultBranch=main";
    const made = await run(`cd /tmp && rm -rf fp-$$ && mkdir fp-$$ && cd fp-$$ && ${git} init -q && for i in 1 2 3; do ${git} commit -q --allow-empty -m c$i; done; ${git} rebase -i HEAD~2; echo "rebase $?"; ${git} log --oneline | wc -l; ${git} status | head -1; rm -rf /tmp/fp-$$`);
    expect(made.text).toMatch(/rebase [1-9]/);
    expect(made.text).toMatch(/^3$/m);
    const asking = createServer((_request, response) => response.writeHead(401, { "WWW-Authenticate": "Basic realm=private" }).end());
    await once(asking.listen(0, "127.0.0.1"), "listening");
    const address = asking.address();
    const cloned = await run({ command: `git clone http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/private.git x`, timeoutMs: 20_000 });
    asking.close();
    expect(cloned.facts.exitCode).toBe(128);
    expect(cloned.text).toMatch(/could not read Username/);
  });

  it("[T15] [B-08] `yes` and a flood stay bounded in memory and on disk", { timeout: 300_000 }, async () => {
    const bytes = process.env["FENCEPOST_DEEP"] ? 2_000_000_000 : 200_000_000;
    const endless = await run({ command: "yes", timeoutMs: 700 });
    expect(endless.error?.code).toBe("timeout");
    const before = process.memoryUsage.rss();
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20);
    const { text, facts } = await run({ command: `yes | head -c ${bytes}`, timeoutMs: 120_000 });
    clearInterval(watch);
    expect(facts.totalBytes).toBe(bytes);
    expect(text).toContain(`(${bytes - 16_384} bytes omitted. Only the first 64 MB of the output were kept, at ${facts.spillPath} — use read`);
    expect(statSync(facts.spillPath ?? "").size).toBe(64 * 1024 * 1024);
    expect(peak - before).toBeLessThan(60 * 1024 * 1024);
    for (const path of [endless.facts.spillPath, facts.spillPath]) rmSync(path ?? "");
  });

  it("[B-58] Python's standard output is UTF-8 too", async () => {
    expect((await run("python3 -c 'print(\"é\")'", { environment: { LANG: "C", LC_ALL: "POSIX" } })).text).toMatch(/^é\n/);
  });
});
