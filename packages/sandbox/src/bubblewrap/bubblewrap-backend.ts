import type { SandboxAvailability, SandboxBackend, SandboxCommand, SandboxLaunch, SandboxRefusal } from "../backend/backend.ts";
import { sandboxUnavailableText } from "../policy/denial-texts.ts";
import type { SandboxPolicy } from "../policy/policy.ts";
import { fileFacts } from "./file-facts.ts";
import { findRunner, isReplaceable } from "./find-runner.ts";
import { launchOf, type Aftercare } from "./launch.ts";
import { planMounts } from "./mount-plan.ts";
import { probeBubblewrap } from "./probe.ts";
import { canFill, ProtectedScanner, writableAreas } from "./protected-scan.ts";

export interface BubblewrapOptions {
  /** Where to look for the runner, best first: absolute paths. Default: where distributions put it. */
  readonly runnerPaths?: readonly string[];
}

/** The Linux backend: a policy becomes mounts in namespaces of the command's own. */
export function bubblewrapBackend(options: BubblewrapOptions = {}): SandboxBackend {
  const scanner = new ProtectedScanner();
  let answer: Promise<SandboxAvailability> | undefined;
  const runner = (): string | undefined => findRunner(options.runnerPaths).path;
  const probe = (): Promise<SandboxAvailability> =>
    (answer ??= probeBubblewrap(findRunner(options.runnerPaths), (path, command) => plan(path, scanner, command)));

  return {
    id: "bubblewrap",
    probe,
    prepare: async (command) => {
      const availability = await probe();
      if (!availability.available) return { refused: true, kind: "unavailable", message: sandboxUnavailableText(availability.reason) };
      const path = runner();
      if (path === undefined) return { refused: true, kind: "unavailable", message: sandboxUnavailableText("bubblewrap is no longer installed") };
      return plan(path, scanner, command);
    },
    close: async () => {},
  };
}

function plan(runner: string, scanner: ProtectedScanner, command: SandboxCommand): SandboxLaunch | SandboxRefusal {
  const { policy } = command;
  const refusal = cannotRun(runner, command);
  if (refusal !== undefined) return { refused: true, kind: "failed", message: refusal };
  const scan = scanner.scan(policy);
  const mounts = planMounts(policy, scan, fileFacts(scan.entries));
  if ("limit" in mounts) return { refused: true, kind: "limit", message: limitText(mounts.limit) };
  return launchOf(runner, command, mounts, noAftercare);
}

const noAftercare: Aftercare = { started: () => {}, ended: async () => ({ violated: false, notes: [] }) };

function limitText(limit: string): string {
  return `[sandbox: bash cannot run in this workspace: ${limit}. File tools still work; ask the user to open a smaller part of it as the workspace]`;
}

function cannotRun(runner: string, { policy, workingDirectory }: SandboxCommand): string | undefined {
  if (isReplaceable(runner, writableAreas(policy))) return `[sandbox: ${runner} lies where commands may write, so it cannot be trusted]`;
  if (!isReadable(policy, workingDirectory)) return `[sandbox: the working directory ${workingDirectory} is where credentials are kept; use another]`;
  return undefined;
}

function isReadable(policy: SandboxPolicy, directory: string): boolean {
  return policy.check(directory, "read", "bash").allowed && (canFill(policy, directory) || policy.check(`${directory}/\u0001`, "read", "bash").allowed);
}
