import { setTimeout as delay } from "node:timers/promises";
import { toBytes, type BytePath } from "../backend/byte-path.ts";
import { isProcessRunning, type ProcessIdentity } from "../backend/process-identity.ts";
import type { ProtectedScanner } from "../backend/protected-scan.ts";
import { heartbeatSlackMs } from "../limits.ts";
import { SandboxPolicy } from "../policy/policy.ts";
import type { BaselineStore } from "./baseline.ts";
import { statsBehind } from "./closed-entry.ts";
import type { LiveCommand, LiveRegistry } from "./live-registry.ts";
import type { Neighbours } from "./neighbours.ts";
import { recoveryNotes } from "./notes.ts";
import { OpenedDirectories } from "./opened-directories.ts";
import { removePlaceholders } from "./placeholders.ts";
import { QuarantineCall } from "./quarantine-call.ts";
import { sweep } from "./sweep.ts";
import { initNoteDelayMs } from "./watched-command.ts";

const pollMs = 20;

const maxPolls = 100;

export interface RecoveryTools {
  readonly stateHome: string;
  readonly registry: LiveRegistry;
  readonly baselines: BaselineStore;
  readonly neighbours: Neighbours;
  readonly scanner: ProtectedScanner;
  /** Ends what a killed host had started and nobody has told of. */
  readonly endUntold: () => void;
}

/**
 * Sweeps behind hosts that were killed, and says what that found. A command's record goes once that is done: who dies
 * over it leaves it to the next.
 */
export async function recover(tools: RecoveryTools): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const dead of tools.registry.dead()) {
    if (!tools.registry.claim(dead.id)) continue;
    let gone = false;
    try {
      const since = madeByOthersSinceMs(dead, tools.registry);
      gone = await ended(dead.init, tools.endUntold);
      notes.push(...recoverOne(dead, since, tools));
    } catch (error) {
      tools.registry.unclaim(dead.id);
      throw error;
    }
    // What still lives may still write: its record stays for the next.
    if (gone) tools.registry.remove(dead.id);
    else tools.registry.unclaim(dead.id);
  }
  return notes;
}

/**
 * From when on what appears is the user's, or another program's: milliseconds since the epoch. A killed host takes its
 * command along. One that gave a command up, or whose command still runs, may have left it to make things for longer.
 */
function madeByOthersSinceMs({ id, init, givenUp }: LiveCommand, registry: LiveRegistry): number {
  const outlived = givenUp === true || (init !== undefined && isProcessRunning(init) !== false);
  return outlived ? Infinity : registry.lastBeatMs(id) + heartbeatSlackMs;
}

function recoverOne(dead: LiveCommand, since: number, { stateHome, baselines, neighbours, scanner }: RecoveryTools): readonly string[] {
  const baseline = baselines.load(dead.baseline);
  const policy = new SandboxPolicy(dead.policy);
  const notes: string[] = [];
  if (baseline !== undefined) {
    const quarantine = new QuarantineCall(stateHome, dead.sessionId, dead.callId, toBytes(policy.workspaceRoot));
    const spared: BytePath[] = [];
    const opened = new OpenedDirectories();
    const spares = (path: BytePath, time: "birthtimeMs" | "ctimeMs"): boolean => {
      const isLater = (statsBehind(opened, path)?.[time] ?? 0) > since;
      if (isLater) spared.push(path);
      return isLater;
    };
    const kept = baseline.kept.filter(({ path }) => !spares(path, "ctimeMs"));
    opened.restore();
    const found = sweep({ policy, baseline: { ...baseline, kept }, quarantine, allowances: () => neighbours.allowances(dead.id, policy.workspaceRoot), leaves: (path) => spares(path, "birthtimeMs") }, scanner);
    opened.restore();
    notes.push(...recoveryNotes(found, spared, quarantine.directory, policy.workspaceRoot));
  }
  removePlaceholders(dead.placeholders, neighbours.placeholders(dead.id, policy.workspaceRoot));
  return notes;
}

/** A killed host's sandbox dies with it, a moment later; what has seen to it that it does not is ended here. */
async function ended(init: ProcessIdentity | undefined, endUntold: () => void): Promise<boolean> {
  if (init === undefined) {
    await delay(initNoteDelayMs);
    endUntold();
    return true;
  }
  for (let turn = 0; isProcessRunning(init) === true; turn += 1) {
    if (turn === maxPolls) return false;
    // Looked at anew each time: its number may have gone to another process.
    kill(init.pid);
    await delay(pollMs);
  }
  return true;
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone meanwhile, or not ours: the wait tells.
  }
}
