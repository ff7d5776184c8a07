import { existsSync } from "node:fs";
import type { RunnerExit, SandboxAvailability, SandboxBackend, SandboxCommand, SandboxLaunch, SandboxRefusal, SandboxSettlement } from "../backend/backend.ts";
import { toText, type BytePath } from "../backend/byte-path.ts";
import { runnerEnvironment } from "../backend/runner-environment.ts";
import { ProtectedScanner } from "../backend/protected-scan.ts";
import { sandboxUnavailableText } from "../policy/denial-texts.ts";
import type { SandboxPolicy } from "../policy/policy.ts";
import { classifySeatbelt } from "./classify.ts";
import { maxArgumentBytes, maxPinnedDirectories } from "../limits.ts";
import { UnusablePathError } from "./parameters.ts";
import { groupGone, signalGroup } from "./process-group.ts";
import { pinnedDirectories, seatbeltProfile, type SeatbeltProfile } from "./profile.ts";
import { runnerArguments, sandboxExecPath } from "./runner.ts";
import { selfCheck, validateProfile } from "./self-check.ts";
import { takeAppeared } from "./take-appeared.ts";
import { watchdogShell, watchedArguments } from "./watchdog.ts";

/** What the backend stands on. Replaced in tests, which have no macOS. */
export interface SeatbeltHost {
  readonly platform: string;
  readonly runner: string;
  selfCheck(runner: string): Promise<SandboxAvailability>;
  validateProfile(runner: string, profile: SeatbeltProfile): Promise<string | undefined>;
}

const thisHost: SeatbeltHost = { platform: process.platform, runner: sandboxExecPath, selfCheck, validateProfile };

/** The sandbox of macOS. */
export function seatbeltBackend(): SandboxBackend {
  return createSeatbeltBackend(thisHost);
}

/** One self-check a process, whatever number of sessions there are. */
const checkedRunners = new Map<string, Promise<SandboxAvailability>>();

export function createSeatbeltBackend(host: SeatbeltHost): SandboxBackend {
  const scanner = new ProtectedScanner();
  const validated = new Set<string>();

  const probe = (): Promise<SandboxAvailability> => {
    if (host.platform !== "darwin") return Promise.resolve({ available: false, reason: "Seatbelt exists on macOS only", remedy: "Use the sandbox of this platform." });
    if (!existsSync(host.runner)) return Promise.resolve({ available: false, reason: `${host.runner} is missing`, remedy: "It is a part of macOS: reinstall the system." });
    const known = checkedRunners.get(host.runner) ?? host.selfCheck(host.runner);
    checkedRunners.set(host.runner, known);
    return known;
  };

  const prepare = async (command: SandboxCommand): Promise<SandboxLaunch | SandboxRefusal> => {
    const availability = await probe();
    if (!availability.available) return refusal("unavailable", sandboxUnavailableText(availability.reason));
    const before = protectedPaths(scanner, command.policy);
    const compiled = compile(command.policy, before.map(toText));
    if ("refused" in compiled) return compiled;
    const env = runnerEnvironment(command.env);
    const args = runnerArguments(compiled, command.argv);
    if (byteLength([...args, ...Object.entries(env).flat()]) > maxArgumentBytes) return refusal("limit", cannotRun(`its rules and the command together exceed the limit of ${maxArgumentBytes} bytes`));
    if (!validated.has(compiled.text)) {
      const fault = await host.validateProfile(host.runner, compiled);
      if (fault !== undefined) return refusal("failed", `[sandbox: the sandbox does not accept its profile (${fault}), so the command was not run; tell the user]`);
      validated.add(compiled.text);
    }
    const known = new Set(before);
    return new SeatbeltLaunch(command, host.runner, args, env, () => takeAppeared(command, protectedPaths(scanner, command.policy).filter((path) => !known.has(path))));
  };

  return { id: "seatbelt", probe, prepare, close: async () => scanner.close() };
}

function compile(policy: SandboxPolicy, existing: readonly string[]): SeatbeltProfile | SandboxRefusal {
  const pinned = pinnedDirectories(policy.rules("bash"), existing).length;
  if (pinned > maxPinnedDirectories) return refusal("limit", cannotRun(`${pinned} directories hold protected paths, more than the limit of ${maxPinnedDirectories}`));
  try {
    return seatbeltProfile(policy, "bash", existing);
  } catch (error) {
    if (error instanceof UnusablePathError) return refusal("limit", cannotRun(error.message));
    throw error;
  }
}

/** Protected paths that exist where the command may write around them. */
function protectedPaths(scanner: ProtectedScanner, policy: SandboxPolicy): readonly BytePath[] {
  return scanner.scan(policy).entries.filter((entry) => !entry.open).map((entry) => entry.path);
}

class SeatbeltLaunch implements SandboxLaunch {
  readonly refused = false;
  readonly file = watchdogShell;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly descriptors: readonly never[] = [];
  readonly #sweep: () => readonly string[];
  #pid: number | undefined;

  constructor(command: SandboxCommand, runner: string, args: readonly string[], env: Readonly<Record<string, string>>, sweep: () => readonly string[]) {
    this.args = watchedArguments(process.pid, runner, args);
    this.env = env;
    this.cwd = command.workingDirectory;
    this.#sweep = sweep;
  }

  onStatus(): void {
    // Seatbelt has no status descriptor.
  }

  onStarted(pid: number | undefined): void {
    this.#pid = pid;
  }

  signal(signal: NodeJS.Signals): "sent" | "gone" | "failed" {
    return this.#pid === undefined ? "gone" : signalGroup(this.#pid, signal);
  }

  async settle(exit: RunnerExit): Promise<SandboxSettlement> {
    const pid = this.#pid;
    const gone = pid === undefined || (await groupGone(pid));
    const ran = pid !== undefined;
    const notes = ran ? this.#sweep() : [];
    const exitCode = ran ? exit.code : null;
    return {
      gone,
      ran,
      exitCode,
      signal: ran ? exit.signal : null,
      violated: notes.length > 0,
      notes,
      classify: (output) => (notes.length > 0 ? "denied" : classifySeatbelt(exitCode, output)),
    };
  }
}

function cannotRun(reason: string): string {
  return `[sandbox: bash cannot run in this workspace: ${reason}. File tools still work; ask the user to open a smaller part of it as the workspace]`;
}

function byteLength(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
}

function refusal(kind: SandboxRefusal["kind"], message: string): SandboxRefusal {
  return { refused: true, kind, message };
}
