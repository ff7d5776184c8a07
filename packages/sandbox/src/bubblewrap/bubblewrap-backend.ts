import type { SandboxAvailability, SandboxBackend, SandboxCommand, SandboxLaunch, SandboxRefusal } from "../backend/backend.ts";
import { toBytes, type BytePath } from "../backend/byte-path.ts";
import { messageOf } from "../backend/message-of.ts";
import { sandboxUnavailableText } from "../policy/denial-texts.ts";
import { isUnder } from "../policy/paths.ts";
import type { SandboxPolicy } from "../policy/policy.ts";
import { withClosedOpened } from "../quarantine/closed-entry.ts";
import { WorkspaceGuard, type Findings, type Opened } from "../quarantine/workspace-guard.ts";
import { creatableCredentials } from "./credential-masks.ts";
import { fileFacts } from "./file-facts.ts";
import { findRunner, isReplaceable } from "./find-runner.ts";
import { launchOf, type LaunchParts } from "./launch.ts";
import { HostWatchdog } from "./host-watchdog.ts";
import { gates, type Gate } from "./gates.ts";
import { plannedPlaces } from "./planned-places.ts";
import { planMounts, type MountLimit, type MountPlan } from "./mount-plan.ts";
import { probeBubblewrap, unknownProcessorReason } from "./probe.ts";
import { seccompFilter } from "./seccomp-filter.ts";
import { withSockets } from "./plan-with-sockets.ts";
import { socketMasks } from "./sockets.ts";
import { endWaitingOrphans } from "./waiting-orphans.ts";
import { anyChildOf, canFill, ProtectedScanner, writableAreas, type ProtectedScan } from "../backend/protected-scan.ts";

export interface BubblewrapOptions {
  /** Where to look for the runner, best first: absolute paths. Default: where distributions put it. */
  readonly runnerPaths?: readonly string[];
}

/** The Linux backend: a policy becomes mounts in namespaces of the command's own. */
export function bubblewrapBackend(options: BubblewrapOptions = {}): SandboxBackend {
  const planner = new CommandPlanner();
  let answer: Promise<SandboxAvailability> | undefined;
  const probe = (): Promise<SandboxAvailability> => (answer ??= probeBubblewrap(findRunner(options.runnerPaths), (path, command) => planner.plan(path, command)));

  return {
    id: "bubblewrap",
    probe,
    prepare: async (command) => {
      const availability = await probe();
      if (!availability.available) return unavailable(availability.reason);
      const { path } = findRunner(options.runnerPaths);
      return path === undefined ? unavailable("bubblewrap is no longer installed") : planner.plan(path, command);
    },
    close: async () => planner.close(),
  };
}

class CommandPlanner {
  readonly #scanner = new ProtectedScanner();
  readonly #guards = new Map<string, WorkspaceGuard>();
  readonly #gates = gates();
  readonly #watchdog = new HostWatchdog();
  #filter: Uint8Array | undefined;

  async plan(runner: string, command: SandboxCommand): Promise<SandboxLaunch | SandboxRefusal> {
    const refusal = cannotRun(runner, command);
    if (refusal !== undefined) return { refused: true, kind: "failed", message: refusal };
    try {
      const guard = this.#guardFor(command.policy.environment.stateHome);
      await guard.recover();
      return this.#behindGate(await this.#gates.take(command.policy.environment.stateHome), guard, runner, command);
    } catch (error) {
      return { refused: true, kind: "failed", message: unpreparedText(error, command.policy.environment.stateHome) };
    }
  }

  close(): void {
    for (const guard of this.#guards.values()) guard.close();
    this.#gates.close();
    this.#watchdog.close();
    this.#scanner.close();
  }

  #behindGate(gate: Gate, guard: WorkspaceGuard, runner: string, command: SandboxCommand): SandboxLaunch | SandboxRefusal {
    let launch: SandboxLaunch | SandboxRefusal | undefined;
    try {
      launch = this.#planWith({ guard, gate, runner, command });
      return launch;
    } finally {
      if (launch?.refused !== false) gate.close();
    }
  }

  #planWith({ guard, gate, runner, command }: { readonly guard: WorkspaceGuard; readonly gate: Gate; readonly runner: string; readonly command: SandboxCommand }): SandboxLaunch | SandboxRefusal {
    const filter = (this.#filter ??= seccompFilter());
    if (filter === undefined) return unavailable(unknownProcessorReason());
    const opened = guard.open(command);
    try {
      const protection = withClosedOpened((reveal) => this.#protect(guard, opened, command, reveal));
      if (!("limit" in protection)) {
        this.#watchdog.start();
        return launchOf({ runner, filter, gate, lifeline: this.#watchdog.lifeline(gate.name), command, ...protection });
      }
      guard.abandon(opened);
      return { refused: true, kind: "limit", message: limitText(protection) };
    } catch (error) {
      guard.abandon(opened);
      throw error;
    }
  }

  /** What keeps a command from doing what it must not, by the kernel and behind it. */
  #protect(guard: WorkspaceGuard, opened: Opened, command: SandboxCommand, reveal: (path: BytePath) => boolean): Pick<LaunchParts, "plan" | "places" | "sockets" | "aftercare"> | MountLimit {
    const { policy } = command;
    const scan = this.#scanner.scan(policy, reveal);
    const plan = planMounts(policy, scan, fileFacts(scan.entries));
    if ("limit" in plan) return plan;
    plannedPlaces([toBytes(policy.workspaceRoot)]);
    const places = plannedPlaces(plan.mounts.filter((mount) => mount.kind === "writable").map((mount) => mount.path));
    const tempRoots = policy.environment.tempRoots.map(toBytes);
    const sockets = socketMasks([toBytes(policy.workspaceRoot), ...tempRoots], tempRoots, process.env["XDG_RUNTIME_DIR"]);
    if ("limit" in sockets) return sockets;
    const aftercare = guard.watch(command, opened, findings(policy, scan, plan));
    return "limit" in aftercare ? aftercare : { plan: withSockets(plan, sockets), places, sockets, aftercare };
  }

  #guardFor(stateHome: string): WorkspaceGuard {
    const known = this.#guards.get(stateHome) ?? new WorkspaceGuard(stateHome, this.#scanner, endWaitingOrphans);
    this.#guards.set(stateHome, known);
    return known;
  }
}

function findings(policy: SandboxPolicy, scan: ProtectedScan, { areas, verified, mounts }: MountPlan): Findings {
  const files = new Set(scan.entries.filter((entry) => entry.kind === "file").map((entry) => entry.path));
  return {
    present: scan.entries.map((entry) => entry.path),
    missing: [...scan.missing, ...creatableCredentials(policy, areas)],
    verified,
    mounted: mounts.filter((mount) => mount.kind === "read-only" && files.has(mount.path)).map((mount) => mount.path),
  };
}

function unavailable(reason: string): SandboxRefusal {
  return { refused: true, kind: "unavailable", message: sandboxUnavailableText(reason) };
}

function limitText({ limit, instead = "ask the user to open a smaller part of it as the workspace" }: MountLimit): string {
  return `[sandbox: bash cannot run in this workspace: ${limit}. File tools still work; ${instead}]`;
}

/** Everything that a command needs on disk is kept in the state home. */
function unpreparedText(error: unknown, stateHome: string): string {
  const begin = "[sandbox: the command was not started, because";
  if (error instanceof Error && "code" in error && "path" in error && typeof error.path === "string" && isUnder(error.path, stateHome)) {
    return `${begin} the state directory ${stateHome} cannot be written (${String(error.code)}). Ask the user to make it writable, or to set HOME to a directory of their own]`;
  }
  return `${begin} the sandbox could not be prepared: ${messageOf(error)}]`;
}

function cannotRun(runner: string, { policy, workingDirectory }: SandboxCommand): string | undefined {
  if (isReplaceable(runner, writableAreas(policy))) return `[sandbox: ${runner} lies where commands may write, so it cannot be trusted]`;
  if (!isReadable(policy, workingDirectory)) return `[sandbox: the working directory ${workingDirectory} is where credentials are kept; use another]`;
  return undefined;
}

function isReadable(policy: SandboxPolicy, directory: string): boolean {
  return policy.check(directory, "read", "bash").allowed && (canFill(policy, directory) || policy.check(anyChildOf(directory), "read", "bash").allowed);
}
