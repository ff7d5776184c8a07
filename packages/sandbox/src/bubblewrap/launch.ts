import { Buffer } from "node:buffer";
import { closeSync, openSync } from "node:fs";
import type { RunnerExit, SandboxCommand, SandboxLaunch, SandboxSettlement } from "../backend/backend.ts";
import { firstDataDescriptor, runnerOptions } from "./arguments.ts";
import { isUtf8, toBytes, toText, type BytePath } from "../backend/byte-path.ts";
import { classify } from "./classify.ts";
import { signalOf } from "./exit-signal.ts";
import { runnerEnvironment } from "../backend/runner-environment.ts";
import type { MountPlan } from "./mount-plan.ts";
import { changedMeanwhileText, Gatekeeper } from "./gatekeeper.ts";
import type { Gate } from "./gates.ts";
import type { Lifeline } from "./host-watchdog.ts";
import { plannedMounts } from "./mount-check.ts";
import type { PlannedPlace } from "./planned-places.ts";
import type { ProcessIdentity } from "../backend/process-identity.ts";
import { SandboxedProcess } from "./sandboxed-process.ts";
import type { SocketMasks } from "./sockets.ts";
import { unnamedFile } from "./unnamed-file.ts";
import { hasVanished, removeCoverFiles, vanishedSocketText } from "./vanished-sockets.ts";

/** What is done behind a command. */
export interface Aftercare {
  /** The runner leads the sandbox from now on. */
  started(init: () => ProcessIdentity | undefined): void;
  /** Nothing of the command lives any more (or, `gone` false, that is unknown). Called once. */
  ended(gone: boolean): Promise<{ readonly violated: boolean; readonly notes: readonly string[] }>;
}

export interface LaunchParts {
  readonly runner: string;
  /** The filter of system calls. */
  readonly filter: Uint8Array;
  /** Before the command; closed behind it. */
  readonly gate: Gate;
  /** For what must not outlive this process. */
  readonly lifeline: Lifeline;
  /** What may be written, as it was when that was planned. */
  readonly places: readonly PlannedPlace[];
  readonly command: SandboxCommand;
  readonly plan: MountPlan;
  readonly sockets: SocketMasks;
  readonly aftercare: Aftercare;
}

/** How one planned command is started, signalled and ended. */
export function launchOf({ runner, filter, gate, lifeline, places, command, plan, sockets, aftercare }: LaunchParts): SandboxLaunch {
  const { policy } = command;
  const plannedAtMs = Date.now();
  const sandboxed = new SandboxedProcess();
  const gatekeeper = new Gatekeeper({ gate, planned: plannedMounts(plan, sockets), places, refuse: () => sandboxed.signal("SIGKILL") });
  const { options, emptyDescriptors } = runnerOptions({ plan, sockets, workingDirectory: toBytes(command.workingDirectory), network: policy.network, terminal: command.terminal ?? false });
  const owned: number[] = [];
  const handOver = (bytes: Uint8Array): number => {
    const descriptor = unnamedFile(bytes, policy.environment.stateHome);
    owned.push(descriptor);
    return descriptor;
  };
  const filterFile = handOver(filter);
  const given = passed(options, command.argv, firstDataDescriptor + emptyDescriptors, handOver);
  const empty = emptyDescriptors === 0 ? undefined : openSync("/dev/null", "r");
  if (empty !== undefined) owned.push(empty);
  const closeOwned = (): void => {
    for (const descriptor of owned.splice(0)) closeSync(descriptor);
  };

  return {
    refused: false,
    file: runner,
    args: given.args,
    env: runnerEnvironment(command.env),
    cwd: "/",
    descriptors: ["status", filterFile, gate.descriptor, ...Array.from({ length: emptyDescriptors }, () => empty ?? 0), ...given.descriptors],
    onStatus: (chunk) => {
      sandboxed.status.add(chunk);
      const { init } = sandboxed.status;
      if (init === undefined) return;
      lifeline.add(init.pid);
      gatekeeper.watch(init.pid);
    },
    onStarted: (pid) => {
      closeOwned();
      sandboxed.started(pid);
      // Until the command starts, all of its sandbox is in the runner's group.
      if (pid !== undefined) lifeline.add(-pid);
      if (pid !== undefined) aftercare.started(() => sandboxed.status.init);
    },
    signal: (signal) => sandboxed.signal(signal),
    settle: async (exit) => {
      closeOwned();
      gatekeeper.end();
      const gone = await sandboxed.gone(exit);
      if (gone) lifeline.end();
      removeCoverFiles(sockets.sockets, plannedAtMs);
      const { violated, notes } = await aftercare.ended(gone);
      if (gatekeeper.refused) return { ...notRun, gone, violated, notes: [changedMeanwhileText, ...notes] };
      if (!sandboxed.ran(exit) && hasVanished(sockets.sockets)) return { ...notRun, gone, violated, notes: [vanishedSocketText, ...notes] };
      return settlement(sandboxed, exit, { gone, violated, notes }, plan);
    },
  };
}

const notRun: Pick<SandboxSettlement, "ran" | "exitCode" | "signal" | "classify"> = { ran: false, exitCode: null, signal: null, classify: () => "runner_failed" };

/** Arguments go to the runner as text where they can, and through a file where a path is no UTF-8. */
function passed(options: readonly BytePath[], argv: readonly string[], next: number, handOver: (bytes: Uint8Array) => number): { readonly args: readonly string[]; readonly descriptors: readonly number[] } {
  if (options.every(isUtf8)) return { args: [...options.map(toText), "--", ...argv], descriptors: [] };
  const bytes = Buffer.from(options.map((option) => `${option}\0`).join(""), "latin1");
  return { args: ["--args", String(next), "--", ...argv], descriptors: [handOver(bytes)] };
}

function settlement(sandboxed: SandboxedProcess, exit: RunnerExit, found: Pick<SandboxSettlement, "gone" | "violated" | "notes">, plan: MountPlan): SandboxSettlement {
  const ran = sandboxed.ran(exit);
  const code = sandboxed.status.exitCode;
  const signal = code === undefined ? exit.signal ?? (sandboxed.killed && ran ? "SIGKILL" : null) : signalOf(code) ?? null;
  const exitCode = code === undefined || signal !== null ? null : code;
  return { ...found, ran, exitCode, signal, classify: (output) => classify({ ran, exitCode, violated: found.violated }, output, plan) };
}
