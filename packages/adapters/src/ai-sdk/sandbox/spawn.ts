import { startProcess, type ProcessEnd } from "./run-process.ts";
import { SandboxRefusal, type SandboxGround } from "./sandbox-ground.ts";
import type { SandboxCommand, SandboxProcess, SandboxSession, SandboxSpawn, WritableSandboxProcess } from "./sandbox-session.ts";

/** Output that nobody has read yet, and the most that `run` gives, in bytes. More ends the process. */
const maxUnreadBytes = 16 * 1024 * 1024;

/** The running half of a sandbox. */
export function sandboxProcesses(ground: SandboxGround): Pick<SandboxSession, "spawn" | "run"> {
  async function start({ command, workingDirectory, env, abortSignal }: SandboxCommand, stdin: boolean): Promise<WritableSandboxProcess> {
    const output = outputStream();
    const { process, kill, ended } = await startProcess(ground, { argv: ["/bin/bash", "-c", command], workingDirectory, env, input: stdin, abortSignal, onOutput: output.push });
    output.onTooMuch(kill);
    const notes = ended.then(({ notes: lines }) => lines, () => []);
    void ended.then(output.close, output.fail);
    return {
      stdout: output.stream,
      stderr: linesStream(notes),
      stdin: new WritableStream<Uint8Array>({
        async write(chunk) {
          if (!(await process.write(chunk))) throw new SandboxRefusal("the process does not read its input");
        },
        close: () => process.closeInput(),
        abort: () => process.closeInput(),
      }),
      wait: async () => ({ exitCode: (await ended).exitCode }),
      async kill() {
        kill();
        await process.exit;
      },
    };
  }

  async function spawn(options: SandboxCommand & { readonly stdin: true }): Promise<WritableSandboxProcess>;
  async function spawn(options: SandboxCommand & { readonly stdin?: false }): Promise<SandboxProcess>;
  async function spawn(options: SandboxCommand & { readonly stdin?: boolean }): Promise<SandboxProcess | WritableSandboxProcess>;
  async function spawn(options: SandboxCommand & { readonly stdin?: boolean }): Promise<SandboxProcess | WritableSandboxProcess> {
    if (options.stdin === true) return start(options, true);
    const { stdin: _closed, ...process } = await start(options, false);
    return process;
  }
  const typed: SandboxSpawn = spawn;

  return {
    spawn: typed,
    async run({ command, workingDirectory, env, abortSignal }) {
      const chunks: Buffer[] = [];
      let total = 0;
      let tooMuch = false;
      let end: (() => void) | undefined;
      const started = await startProcess(ground, {
        argv: ["/bin/bash", "-c", command],
        workingDirectory,
        env,
        input: false,
        abortSignal,
        onOutput(chunk) {
          total += chunk.length;
          if (total <= maxUnreadBytes) {
            chunks.push(Buffer.from(chunk));
            return;
          }
          tooMuch = true;
          end?.();
        },
      });
      end = started.kill;
      if (tooMuch) end();
      const { exitCode, notes } = await started.ended;
      const said = tooMuch ? [`[the output was larger than ${maxUnreadBytes} bytes, so the command was ended]`] : [];
      return { exitCode, stdout: Buffer.concat(chunks).toString(), stderr: [...said, ...notes].map((line) => `${line}\n`).join("") };
    },
  };
}

interface OutputStream {
  readonly stream: ReadableStream<Uint8Array>;
  readonly push: (chunk: Uint8Array) => void;
  readonly close: (end: ProcessEnd) => void;
  readonly fail: (error: unknown) => void;
  /** What ends the process where nobody reads. */
  readonly onTooMuch: (end: () => void) => void;
}

function outputStream(): OutputStream {
  let flooded = false;
  let end: (() => void) | undefined;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const stream = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
      },
      cancel() {
        controller = undefined;
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxUnreadBytes }),
  );
  const finish = (how: (open: ReadableStreamDefaultController<Uint8Array>) => void): void => {
    const open = controller;
    controller = undefined;
    if (open) how(open);
  };
  return {
    stream,
    push(chunk) {
      if (!controller) return;
      controller.enqueue(Uint8Array.from(chunk));
      if ((controller.desiredSize ?? 0) > 0) return;
      finish((open) => open.error(new SandboxRefusal(`more than ${maxUnreadBytes} bytes of output were not read`)));
      flooded = true;
      end?.();
    },
    onTooMuch(given) {
      end = given;
      if (flooded) given();
    },
    close: () => finish((open) => open.close()),
    fail: (error) => finish((open) => open.error(error)),
  };
}

function linesStream(lines: Promise<readonly string[]>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async start(controller) {
      const text = (await lines).map((line) => `${line}\n`).join("");
      if (text !== "") controller.enqueue(Buffer.from(text));
      controller.close();
    },
  });
}
