import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { identify } from "../../src/bubblewrap/sandbox-processes.ts";
import { SandboxedProcess } from "../../src/bubblewrap/sandboxed-process.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const childrenOf = (pid: number): readonly number[] => readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim().split(" ").filter((child) => child !== "").map(Number);

describe.runIf(process.platform === "linux")("a runner that is killed before it has reported its child", () => {
  it("[P54] counts as gone once the child is, too", async () => {
    // The shell stands in for the runner: it starts a process and reports nothing.
    const runner = spawn("/bin/sh", ["-c", "sleep 60 & wait"], { stdio: "ignore" });
    const pid = runner.pid ?? 0;
    while (childrenOf(pid).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const [child = 0] = childrenOf(pid);
    const kill = process.kill.bind(process);
    // A child that takes its time to die, as one does that waits for a disk.
    vi.spyOn(process, "kill").mockImplementation((target, signal) => target === child && signal === "SIGKILL" ? true : kill(target, signal));
    const sandboxed = new SandboxedProcess();
    sandboxed.started(pid);
    const exited = once(runner, "exit");
    expect(sandboxed.signal("SIGKILL")).toBe("sent");
    await exited;
    expect(await sandboxed.gone({ code: null, signal: "SIGKILL" })).toBe(false);
    kill(child, "SIGKILL");
    expect(await sandboxed.gone({ code: null, signal: "SIGKILL" })).toBe(true);
  });
});

describe.runIf(process.platform === "linux")("a runner that has exited before process 1 of its namespace has", () => {
  it("[P54] what is left is ended, and not only waited for", async () => {
    // It stands in for a process 1 whose signal for the runner's death somebody has taken away.
    const survivor = spawn("sleep", ["60"], { stdio: "ignore" });
    const ended = once(survivor, "exit");
    const sandboxed = new SandboxedProcess();
    const runner = spawn("/bin/true", { stdio: "ignore" });
    sandboxed.started(runner.pid);
    sandboxed.status.add(Buffer.from(`{ "child-pid": ${survivor.pid} }\n{ "exit-code": 0 }\n`));
    await once(runner, "exit");
    expect(await sandboxed.gone({ code: 0, signal: null })).toBe(true);
    expect(await ended).toEqual([null, "SIGKILL"]);
  });

  it("[P54] a process that has been given its number is left alone", async () => {
    const bystander = spawn("sleep", ["60"], { stdio: "ignore" });
    const identity = identify(bystander.pid ?? 0);
    if (identity === undefined) throw new Error("not started");
    const sandboxed = new SandboxedProcess();
    sandboxed.status.init = { ...identity, started: String(Number(identity.started) - 1) };
    expect(await sandboxed.gone({ code: 0, signal: "SIGKILL" })).toBe(true);
    expect([bystander.exitCode, bystander.signalCode]).toEqual([null, null]);
    bystander.kill("SIGKILL");
    await once(bystander, "exit");
  });
});
