import type { ProcessBackend, ProcessCommand, ProcessExit, ProcessListeners, RunningProcess } from "../process/process-backend.ts";

/** What a scripted command does, one step after the other. */
export type ScriptStep =
  | { readonly do: "output"; readonly text: string | Uint8Array }
  | { readonly do: "wait"; readonly ms: number }
  /** Waits for a line of input; `${line}` in later output stands for it. */
  | { readonly do: "readLine" }
  /** Stays until it is killed or signalled. */
  | { readonly do: "stay" }
  | { readonly do: "exit"; readonly code: number };

/** The steps of a command, or what makes them of it. */
export type Script = readonly ScriptStep[] | ((command: ProcessCommand) => readonly ScriptStep[]);

export interface ScriptedProcesses extends ProcessBackend {
  /** What was started, oldest first. */
  readonly started: readonly ProcessCommand[];
}

export interface ScriptedOptions {
  /** Command text → what it does. */
  readonly scripts: Readonly<Record<string, Script>>;
  /** The directories there are: a command anywhere else does not start. */
  readonly directories: readonly string[];
  /** What the sandbox makes of an exit. Default: nothing. */
  readonly settlement?: Partial<Pick<ProcessExit, "gone" | "ran" | "violated" | "notes" | "classify">>;
}

/** A process backend that starts nothing: commands do what their script says. For hosts' tests, on every platform. */
export function createScriptedProcesses({ scripts, directories, settlement }: ScriptedOptions): ScriptedProcesses {
  const started: ProcessCommand[] = [];
  return {
    started,
    start(command, listeners) {
      if (!directories.includes(command.workingDirectory)) {
        return Promise.resolve({ started: false, kind: "failed", message: `The working directory ${command.workingDirectory} does not exist any more.` });
      }
      started.push(command);
      const script = scripts[command.argv.at(-1) ?? ""] ?? notScripted;
      const steps = typeof script === "function" ? script(command) : script;
      return Promise.resolve({ started: true, process: play(steps, command, listeners, settlement) });
    },
  };
}

const notScripted: Script = (command) => [
  { do: "output", text: `not scripted: ${command.argv.at(-1)}\n` },
  { do: "exit", code: 127 },
];

function play(steps: readonly ScriptStep[], command: ProcessCommand, listeners: ProcessListeners, settlement: ScriptedOptions["settlement"]): RunningProcess {
  const ending = new AbortController();
  let lines = "";
  let onLine: (() => void) | undefined;
  let ended = false;

  async function run(): Promise<Pick<ProcessExit, "exitCode" | "signal">> {
    let line = "";
    for (const step of steps) {
      if (ending.signal.aborted) break;
      if (step.do === "exit") return { exitCode: step.code, signal: null };
      if (step.do === "output") listeners.onOutput(typeof step.text === "string" ? Buffer.from(step.text.replaceAll("${line}", line)) : step.text);
      if (step.do === "wait") await interruptible(step.ms, ending.signal);
      if (step.do === "stay") await interruptible(undefined, ending.signal);
      if (step.do === "readLine") line = await nextLine();
    }
    return ending.signal.aborted ? { exitCode: null, signal: signalOf(ending.signal.reason) } : { exitCode: 0, signal: null };
  }

  async function nextLine(): Promise<string> {
    while (!lines.includes("\n") && !ending.signal.aborted) {
      await new Promise<void>((resolve) => {
        onLine = resolve;
        ending.signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
    const end = lines.indexOf("\n");
    const line = lines.slice(0, end);
    lines = lines.slice(end + 1);
    return line;
  }

  // Like a real one, it has started before it does anything.
  const exit = Promise.resolve()
    .then(run)
    .then((end): ProcessExit => {
      ended = true;
      return { gone: true, ran: true, violated: false, notes: [], classify: () => "normal", ...end, ...settlement };
    });
  return {
    exit,
    kill: () => ending.abort("SIGKILL"),
    signal: (signal) => ending.abort(signal),
    write(bytes) {
      if (ended || command.input !== "pipe") return Promise.resolve(false);
      lines += Buffer.from(bytes).toString();
      onLine?.();
      return Promise.resolve(true);
    },
    closeInput: () => undefined,
  };
}

function interruptible(ms: number | undefined, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
    const stop = (): void => {
      clearTimeout(timer);
      resolve();
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

function signalOf(reason: unknown): NodeJS.Signals {
  return reason === "SIGTERM" || reason === "SIGINT" ? reason : "SIGKILL";
}
