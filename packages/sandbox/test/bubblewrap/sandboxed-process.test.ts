import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
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
