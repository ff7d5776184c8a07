import { setTimeout as delay } from "node:timers/promises";
import type { SandboxCommand } from "../backend/backend.ts";
import type { BytePath } from "../backend/byte-path.ts";
import { toBytes, toText } from "../backend/byte-path.ts";
import { creatableCredentials } from "../bubblewrap/credential-masks.ts";
import { sweepIntervalMs } from "../bubblewrap/limits.ts";
import type { MountPlan } from "../bubblewrap/mount-plan.ts";
import { isProcessRunning, ownProcess, type ProcessIdentity } from "../backend/process-identity.ts";
import { canFill, type ProtectedScan, type ProtectedScanner } from "../backend/protected-scan.ts";
import { parentOf } from "../policy/paths.ts";
import { SandboxPolicy } from "../policy/policy.ts";
import { BaselineStore, type Baseline } from "./baseline.ts";
import { contentHash, KeptCopies } from "./kept-copies.ts";
import { isDead, LiveRegistry, type LiveCommand } from "./live-registry.ts";
import { maxKeptFileBytes } from "../bubblewrap/limits.ts";
import { inParent } from "./directory-handle.ts";
import { readEntry } from "./move-entry.ts";
import { sweepNotes } from "./notes.ts";
import { makePlaceholders, neededPlaceholders, removePlaceholders } from "./placeholders.ts";
import { pruneQuarantine } from "./quarantine-list.ts";
import { QuarantineCall } from "./quarantine-call.ts";
import { sweep, type Allowances, type SweepFindings } from "./sweep.ts";

/** A short call needs no note of its process 1 on disk: its sandbox dies with the host within this time. */
const initNoteDelayMs = 100;

/** Looks after one state home's workspaces: what commands must not leave behind, in this process and after others. */
export class WorkspaceGuard {
  readonly registry: LiveRegistry;
  readonly #baselines: BaselineStore;
  readonly #scanner: ProtectedScanner;
  readonly #copies = new Map<string, KeptCopies>();
  readonly #watched = new Set<Watched>();
  readonly #stateHome: string;
  /** What could not be moved away is not known to the next command either. */
  readonly #stuck = new Set<BytePath>();

  constructor(stateHome: string, scanner: ProtectedScanner) {
    this.#stateHome = stateHome;
    this.#scanner = scanner;
    this.registry = new LiveRegistry(stateHome);
    this.#baselines = new BaselineStore(stateHome);
    pruneQuarantine(stateHome);
  }

  /** Sweeps behind hosts that were killed. */
  async recover(): Promise<void> {
    for (const dead of this.registry.claimDead()) {
      await gone(dead.init);
      const baseline = this.#baselines.load(dead.baseline);
      const policy = new SandboxPolicy(dead.policy);
      if (baseline !== undefined) {
        const quarantine = new QuarantineCall(this.#stateHome, dead.sessionId, dead.callId, toBytes(policy.workspaceRoot));
        sweep({ policy, baseline, quarantine, allowances: () => this.#allowances(dead.id, policy) }, this.#scanner);
      }
      removePlaceholders(dead.placeholders, this.#placeholdersOfOthers(dead.id, policy.workspaceRoot));
    }
  }

  /** First step of a command: makes what its grants need to exist. Journalled before anything is made. */
  open(command: SandboxCommand): Opened {
    const { policy, sessionId, callId } = command;
    const needed = neededPlaceholders(policy);
    const granted = policy.grants.length > 0;
    const shared = granted ? this.#sharedPlaceholders(policy) : [];
    const live: LiveCommand = {
      id: this.registry.newId(),
      host: ownProcess(),
      sessionId,
      callId,
      policy: { mode: policy.mode, workspaceRoot: policy.workspaceRoot, grants: policy.grants, environment: policy.environment, network: policy.network },
      baseline: "",
      placeholders: [...shared, ...needed.map(({ path }) => path)],
    };
    if (live.placeholders.length > 0) this.registry.put(live);
    const made = makePlaceholders(needed);
    return { live: { ...live, placeholders: [...shared, ...made] }, neighbours: this.#neighbours(live.id, policy.workspaceRoot) };
  }

  /** Undoes `open` for a command that is not going to run. */
  abandon({ live }: Opened): void {
    removePlaceholders(live.placeholders, this.#placeholdersOfOthers(live.id, live.policy.workspaceRoot));
    this.registry.remove(live.id);
  }

  /** Second step: remembers what is protected now. */
  watch(command: SandboxCommand, { live, neighbours }: Opened, scan: ProtectedScan, plan: MountPlan): Watched | { readonly limit: string } {
    const { policy } = command;
    const kept = this.#copiesFor(policy.workspaceRoot).take(plan.verified);
    if ("limit" in kept) return kept;
    const others = [...neighbours, ...this.#neighbours(live.id, policy.workspaceRoot)];
    const present = scan.entries.map((entry) => entry.path);
    const foreign = new Set(present.filter((path) => others.some((other) => mayHaveMade(other, path))));
    const baseline: Baseline = {
      known: new Set(present.filter((path) => !this.#stuck.has(path) && !foreign.has(path))),
      missing: [...scan.missing.filter((path) => !policy.check(toText(path), "write", "bash").allowed), ...creatableCredentials(policy, plan.areas)],
      kept,
    };
    const written = this.#baselines.save(baseline);
    if (this.#baselines.count() > maxIdleBaselines) this.#baselines.prune(new Set([written, ...this.registry.baselinesInUse()]));
    const entry = { ...live, baseline: written };
    this.registry.put(entry);
    const watched = new Watched(command, entry, { baseline, foreign }, {
      sweep: (one) => this.#sweep(one),
      end: (one, ended) => this.#end(one, ended),
      note: (one) => this.#note(one),
    });
    this.#watched.add(watched);
    return watched;
  }

  /** A protected path that a tool of ours has written while commands live: it is no find, and is not put back. */
  allowWrite(path: string): void {
    if (this.registry.ids().length === 0) return;
    const bytes = toBytes(path);
    this.registry.allow({ path: bytes, hash: hashAt(bytes) ?? null });
  }

  close(): void {
    for (const watched of this.#watched) watched.stop();
    this.#watched.clear();
  }

  /** Called by a timer: where it cannot be written, a later sweep waits a little longer instead. */
  #note(live: LiveCommand): void {
    try {
      this.registry.put(live);
    } catch {
      // A full disk must not end the host.
    }
  }

  #sweep(watched: Watched): SweepFindings {
    const { policy } = watched.command;
    const { live } = watched;
    let others: readonly Neighbour[] | undefined;
    // Its maker, as long as that lives, has a sweep of its own.
    const leaves = (path: BytePath): boolean => watched.foreign.has(path) && (others ??= this.#neighbours(live.id, policy.workspaceRoot)).some((other) => mayHaveMade(other, path));
    const found = sweep({ policy, baseline: watched.baseline, quarantine: watched.quarantine, allowances: () => this.#allowances(live.id, policy), leaves }, this.#scanner);
    for (const path of found.stuck) this.#stuck.add(path);
    for (const path of found.moved) this.#stuck.delete(path);
    if (found.moved.length + found.restored.length > 0) {
      const [note] = sweepNotes(found, watched.quarantine.directory, policy.workspaceRoot);
      for (const other of this.#aliveOthers(live.id, policy.workspaceRoot)) this.registry.mark(other.id, note ?? "");
    }
    return found;
  }

  #end(watched: Watched, ended: boolean): readonly string[] {
    const { live, command } = watched;
    const marks = this.registry.marksOf(live.id);
    if (!ended) return marks;
    this.#watched.delete(watched);
    const { policy } = command;
    if (policy.grants.some((grant) => grant.access === "write") && this.#aliveOthers(live.id, policy.workspaceRoot).length > 0) {
      for (const entry of this.#scanner.scan(policy).entries) {
        if (entry.open && !watched.baseline.known.has(entry.path)) this.registry.allow({ path: entry.path, hash: hashAt(entry.path) ?? null });
      }
      for (const grant of policy.grants) if (grant.access === "write" && grant.scope === "exact") this.registry.allow({ path: toBytes(grant.path), hash: hashAt(toBytes(grant.path)) ?? null });
    }
    removePlaceholders(live.placeholders, this.#placeholdersOfOthers(live.id, policy.workspaceRoot));
    this.registry.remove(live.id);
    return marks;
  }

  #allowances(id: string, policy: SandboxPolicy): Allowances {
    return {
      writes: this.registry.allowed(),
      policies: this.#aliveOthers(id, policy.workspaceRoot).filter((other) => other.policy.grants.length > 0).map((other) => new SandboxPolicy(other.policy)),
    };
  }

  #aliveOthers(id: string, workspaceRoot: string): readonly LiveCommand[] {
    return this.registry.others(id, workspaceRoot).filter((other) => !isDead(other));
  }

  /** Other commands that may be making protected names in the workspace at this moment. */
  #neighbours(id: string, workspaceRoot: string): readonly Neighbour[] {
    return this.#aliveOthers(id, workspaceRoot).flatMap((other) => {
      // A host that nobody here can tell of is taken for alive, but what its command makes is not looked for.
      const isOver = isProcessRunning(other.host) === undefined || (other.init !== undefined && isProcessRunning(other.init) !== true);
      const baseline = isOver ? undefined : this.#baselines.load(other.baseline);
      return baseline === undefined ? [] : [{ known: baseline.known, policy: new SandboxPolicy(other.policy) }];
    });
  }

  #placeholdersOfOthers(id: string, workspaceRoot: string): ReadonlySet<BytePath> {
    return new Set(this.#aliveOthers(id, workspaceRoot).flatMap((other) => other.placeholders));
  }

  /** Placeholders of living commands that this one's grants use too: the last of them removes them. */
  #sharedPlaceholders(policy: SandboxPolicy): readonly BytePath[] {
    const used = policy.grants.map((grant) => toBytes(grant.path));
    return [...this.#placeholdersOfOthers("", policy.workspaceRoot)].filter((path) => used.some((grant) => grant === path || grant.startsWith(`${path}/`)));
  }

  #copiesFor(workspaceRoot: string): KeptCopies {
    const known = this.#copies.get(workspaceRoot) ?? new KeptCopies();
    this.#copies.set(workspaceRoot, known);
    return known;
  }
}

interface Neighbour {
  readonly known: ReadonlySet<BytePath>;
  readonly policy: SandboxPolicy;
}

/**
 * Whether a command that still runs may have made the protected entry. It could take it away again behind the back of
 * the one that starts now, which would then be free to make it anew if it counted as known.
 */
function mayHaveMade({ known, policy }: Neighbour, path: BytePath): boolean {
  if (known.has(path)) return false;
  const hits = policy.matches(toText(path));
  return (hits.hardProtected ?? hits.sensitive) !== undefined && canFill(policy, toText(parentOf(path)));
}

/** Baselines that may lie about before they are pruned: one a workspace, and those of live commands. */
const maxIdleBaselines = 32;

export interface Opened {
  readonly live: LiveCommand;
  readonly neighbours: readonly Neighbour[];
}

interface WatchedActions {
  sweep(watched: Watched): SweepFindings;
  /** Returns what others found. */
  end(watched: Watched, gone: boolean): readonly string[];
  note(live: LiveCommand): void;
}

/** One command, from its start to the last sweep behind it. */
export class Watched {
  readonly command: SandboxCommand;
  readonly baseline: Baseline;
  /** There at the start, but perhaps made by a command that still ran then. */
  readonly foreign: ReadonlySet<BytePath>;
  readonly quarantine: QuarantineCall;
  live: LiveCommand;
  readonly #actions: WatchedActions;
  readonly #found = { moved: new Set<BytePath>(), restored: new Set<BytePath>(), stuck: new Set<BytePath>() };
  #timers: NodeJS.Timeout[] = [];

  constructor(command: SandboxCommand, live: LiveCommand, before: { readonly baseline: Baseline; readonly foreign: ReadonlySet<BytePath> }, actions: WatchedActions) {
    this.command = command;
    this.live = live;
    this.baseline = before.baseline;
    this.foreign = before.foreign;
    this.#actions = actions;
    this.quarantine = new QuarantineCall(command.policy.environment.stateHome, command.sessionId, command.callId, toBytes(command.policy.workspaceRoot));
  }

  started(init: () => ProcessIdentity | undefined): void {
    const note = setTimeout(() => {
      const found = init();
      if (found === undefined) return;
      this.live = { ...this.live, init: found };
      this.#actions.note(this.live);
    }, initNoteDelayMs);
    this.#timers.push(note.unref());
    if (this.command.background === true) this.#timers.push(setInterval(() => this.#sweepMeanwhile(), sweepIntervalMs).unref());
  }

  async ended(empty: boolean): Promise<{ readonly violated: boolean; readonly notes: readonly string[] }> {
    this.stop();
    this.#sweep();
    const marks = this.#actions.end(this, empty);
    const { moved, restored, stuck } = this.#found;
    const own = sweepNotes({ moved: [...moved], restored: [...restored], stuck: [...stuck] }, this.quarantine.directory, this.command.policy.workspaceRoot);
    return { violated: own.length + marks.length > 0, notes: [...new Set([...marks, ...own])] };
  }

  stop(): void {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
  }

  /** Called by a timer: what it cannot do, the last sweep does, or says. */
  #sweepMeanwhile(): void {
    try {
      this.#sweep();
    } catch {
      // A full disk must not end the host.
    }
  }

  #sweep(): void {
    const found = this.#actions.sweep(this);
    for (const path of found.moved) this.#found.moved.add(path);
    for (const path of found.restored) this.#found.restored.add(path);
    for (const path of found.stuck) this.#found.stuck.add(path);
  }
}

function hashAt(path: BytePath): string | undefined {
  return inParent(path, (parent, name) => {
    const content = readEntry(parent, name, maxKeptFileBytes);
    return content === undefined ? undefined : contentHash(content);
  });
}

/** A killed host's sandbox dies with it, a moment later. */
async function gone(init: ProcessIdentity | undefined): Promise<void> {
  if (init === undefined) await delay(initNoteDelayMs);
  else for (let turn = 0; turn < maxRecoveryPolls && isProcessRunning(init) === true; turn += 1) await delay(recoveryPollMs);
}

const recoveryPollMs = 20;
const maxRecoveryPolls = 100;
