import type { SandboxPolicy } from "@fencepost/sandbox";
import { describe, expect, it } from "vitest";
import type { ProcessBackend, ProcessCommand, ProcessExit, RunningProcess } from "../process/process-backend.ts";
import type { Script } from "./scripted-processes.ts";

/** What a process backend under test runs commands in. Made once a test. */
export interface ProcessFixture {
  readonly backend: ProcessBackend;
  readonly policy: SandboxPolicy;
  /** An existing directory. */
  readonly workspace: string;
  /** The smallest environment commands run with. */
  readonly env: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

const longCommand = `: '${"x".repeat(200_000)}'; echo long`;

/** What the suite runs, and what each of them does: the whole script of a scripted backend. */
export const processScenarios: Readonly<Record<string, Script>> = {
  "for i in 1 2; do echo o$i; echo e$i >&2; done": [
    { do: "output", text: "o1\ne1\no2\n" },
    { do: "output", text: "e2\n" },
  ],
  "exit 3": [{ do: "exit", code: 3 }],
  "echo up; sleep 1000": [{ do: "output", text: "up\n" }, { do: "stay" }],
  "echo up; exec sleep 1000": [{ do: "output", text: "up\n" }, { do: "stay" }],
  "read -r line; echo \"got $line\"": [{ do: "readLine" }, { do: "output", text: "got ${line}\n" }],
  "sleep 1000 & echo ok": [{ do: "output", text: "ok\n" }],
  "seq 100000": [{ do: "output", text: Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join("") }],
  'echo "$MARK"': (command) => [{ do: "output", text: `${command.env["MARK"] ?? ""}\n` }],
  [longCommand]: [{ do: "output", text: "long\n" }],
};

interface Started {
  readonly process: RunningProcess;
  output(): string;
  /** Settles once there is output. */
  readonly first: Promise<void>;
  ended(): Promise<ProcessExit & { readonly output: string }>;
}

/** The contract of a process backend, for vitest. */
export function testProcessBackend(name: string, make: () => Promise<ProcessFixture>): void {
  const withBackend = async (work: (start: (command: string, extra?: Partial<ProcessCommand>) => Promise<Started>, fixture: ProcessFixture) => Promise<void>): Promise<void> => {
    const fixture = await make();
    try {
      await work((command, extra) => startIn(fixture, command, extra), fixture);
    } finally {
      await fixture.remove();
    }
  };

  describe(`the process backend ${name}`, () => {
    it("delivers both streams as one, in order, before the exit", () =>
      withBackend(async (start) => {
        const { output, exitCode, signal, gone, ran } = await (await start("for i in 1 2; do echo o$i; echo e$i >&2; done")).ended();
        expect(output).toBe("o1\ne1\no2\ne2\n");
        expect({ exitCode, signal, gone, ran }).toEqual({ exitCode: 0, signal: null, gone: true, ran: true });
      }));

    it("delivers all of a long output", () =>
      withBackend(async (start) => {
        const { output } = await (await start("seq 100000")).ended();
        expect(output.length).toBe(588_895);
        expect(output.endsWith("\n100000\n")).toBe(true);
      }));

    it("tells the exit code", () =>
      withBackend(async (start) => {
        expect((await (await start("exit 3")).ended()).exitCode).toBe(3);
      }));

    it("[T12] [T13] kills at once, once or several times, and keeps what came before", () =>
      withBackend(async (start) => {
        const running = await start("echo up; sleep 1000");
        await running.first;
        running.process.kill();
        running.process.kill();
        const { output, exitCode, gone } = await running.ended();
        expect({ output, exitCode, gone }).toEqual({ output: "up\n", exitCode: null, gone: true });
        running.process.kill();
      }));

    it("passes on another signal", () =>
      withBackend(async (start) => {
        const running = await start("echo up; exec sleep 1000");
        await running.first;
        running.process.signal("SIGTERM");
        expect((await running.ended()).signal).toBe("SIGTERM");
      }));

    it("[P54] ends with its command, whatever that left in the background", () =>
      withBackend(async (start) => {
        expect(await (await start("sleep 1000 & echo ok")).ended()).toMatchObject({ output: "ok\n", gone: true });
      }));

    it("writes to a command that takes input, and to no other", () =>
      withBackend(async (start) => {
        const reading = await start('read -r line; echo "got $line"', { input: "pipe" });
        expect(await reading.process.write(Buffer.from("one\n"))).toBe(true);
        expect((await reading.ended()).output).toBe("got one\n");
        expect(await reading.process.write(Buffer.from("late\n"))).toBe(false);
        const deaf = await start("exit 3");
        expect(await deaf.process.write(Buffer.from("x"))).toBe(false);
        await deaf.ended();
      }));

    it("gives the command the environment it was given", () =>
      withBackend(async (start, { env }) => {
        expect((await (await start('echo "$MARK"', { env: { ...env, MARK: "a b\nc" } })).ended()).output).toBe("a b\nc\n");
      }));

    it("runs a command that is longer than an argument may be", () =>
      withBackend(async (start) => {
        expect((await (await start(longCommand)).ended()).output).toBe("long\n");
      }));

    it("keeps concurrent commands apart", () =>
      withBackend(async (start, { env }) => {
        const marks = Array.from({ length: 8 }, (_, index) => `mark-${index}`);
        const outputs = await Promise.all(marks.map(async (mark) => (await (await start('echo "$MARK"', { env: { ...env, MARK: mark } })).ended()).output));
        expect(outputs).toEqual(marks.map((mark) => `${mark}\n`));
      }));

    it("says so where the working directory is missing, and starts nothing", () =>
      withBackend(async (_start, fixture) => {
        const directory = `${fixture.workspace}/missing`;
        const answer = await fixture.backend.start(commandIn(fixture, "exit 3", { workingDirectory: directory }), { onOutput: () => undefined });
        expect(answer).toMatchObject({ started: false });
        if (!answer.started) expect(answer.message).toContain(directory);
      }));
  });
}

let calls = 0;

function commandIn({ policy, workspace, env }: ProcessFixture, command: string, extra: Partial<ProcessCommand> = {}): ProcessCommand {
  return { policy, argv: ["/bin/bash", "-c", command], workingDirectory: workspace, env, sessionId: "suite", callId: `call-${++calls}`, ...extra };
}

async function startIn(fixture: ProcessFixture, command: string, extra?: Partial<ProcessCommand>): Promise<Started> {
  const chunks: Buffer[] = [];
  const arrived = new AbortController();
  const answer = await fixture.backend.start(commandIn(fixture, command, extra), {
    onOutput(chunk) {
      chunks.push(Buffer.from(chunk));
      arrived.abort();
    },
  });
  if (!answer.started) throw new Error(`not started: ${answer.message}`);
  const { process } = answer;
  const output = (): string => Buffer.concat(chunks).toString();
  return {
    process,
    output,
    first: new Promise((resolve) => {
      if (arrived.signal.aborted) resolve();
      arrived.signal.addEventListener("abort", () => resolve(), { once: true });
    }),
    ended: async () => ({ ...(await process.exit), output: output() }),
  };
}
