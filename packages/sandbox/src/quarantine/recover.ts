import { setTimeout as delay } from "node:timers/promises";
import { toBytes } from "../backend/byte-path.ts";
import { isProcessRunning, type ProcessIdentity } from "../backend/process-identity.ts";
import type { ProtectedScanner } from "../backend/protected-scan.ts";
import { SandboxPolicy } from "../policy/policy.ts";
import type { BaselineStore } from "./baseline.ts";
import type { LiveCommand, LiveRegistry } from "./live-registry.ts";
import type { Neighbours } from "./neighbours.ts";
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
}

/** Sweeps behind hosts that were killed. A command's record goes once that is done: who dies over it leaves it to the next. */
export async function recover(tools: RecoveryTools): Promise<void> {
  for (const dead of tools.registry.dead()) {
    if (!tools.registry.claim(dead.id)) continue;
    try {
      await recoverOne(dead, tools);
    } catch (error) {
      tools.registry.unclaim(dead.id);
      throw error;
    }
    tools.registry.remove(dead.id);
  }
}

async function recoverOne(dead: LiveCommand, { stateHome, baselines, neighbours, scanner }: RecoveryTools): Promise<void> {
  await gone(dead.init);
  const baseline = baselines.load(dead.baseline);
  const policy = new SandboxPolicy(dead.policy);
  if (baseline !== undefined) {
    const quarantine = new QuarantineCall(stateHome, dead.sessionId, dead.callId, toBytes(policy.workspaceRoot));
    sweep({ policy, baseline, quarantine, allowances: () => neighbours.allowances(dead.id, policy.workspaceRoot) }, scanner);
  }
  removePlaceholders(dead.placeholders, neighbours.placeholders(dead.id, policy.workspaceRoot));
}

/** A killed host's sandbox dies with it, a moment later. */
async function gone(init: ProcessIdentity | undefined): Promise<void> {
  if (init === undefined) await delay(initNoteDelayMs);
  else for (let turn = 0; turn < maxPolls && isProcessRunning(init) === true; turn += 1) await delay(pollMs);
}
