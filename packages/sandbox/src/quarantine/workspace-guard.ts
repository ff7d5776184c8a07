import type { SandboxCommand } from "../backend/backend.ts";
import { toBytes, toText, type BytePath } from "../backend/byte-path.ts";
import { maxIdleBaselines } from "../limits.ts";
import { ownProcess } from "../backend/process-identity.ts";
import type { ProtectedScanner } from "../backend/protected-scan.ts";
import { BaselineStore, sealBaseline, type Baseline, type SealedBaseline } from "./baseline.ts";
import { stateAt } from "./entry-state.ts";
import { fileIdentities } from "./file-identity.ts";
import { KeptCopies } from "./kept-copies.ts";
import { LiveRegistry, notBegun, type LiveCommand } from "./live-registry.ts";
import { mayHaveMade, Neighbours, type Neighbour } from "./neighbours.ts";
import { sweepNotes } from "./notes.ts";
import { makePlaceholders, neededPlaceholders, removePlaceholders } from "./placeholders.ts";
import { pruneQuarantine } from "./quarantine-list.ts";
import { recover } from "./recover.ts";
import { SetAsideRecords } from "./set-aside.ts";
import { takeSetAside } from "./take-set-aside.ts";
import { sweep, type SweepFindings } from "./sweep.ts";
import { WatchedCommand, type EndFindings } from "./watched-command.ts";

/** A command that is journalled, before it is known whether it can run. */
export interface Opened {
  readonly live: LiveCommand;
  /** Commands that were running when this one was opened. */
  readonly makers: readonly Neighbour[];
  /** When that was: milliseconds since the epoch. */
  readonly at: number;
}

/** What a backend has found out about the workspace. */
export interface Findings {
  /** Protected paths that exist. */
  readonly present: readonly BytePath[];
  /** Protected paths that do not, and that a command could make. */
  readonly missing: readonly BytePath[];
  /** Those present that the kernel alone does not protect: copies of them are kept. */
  readonly verified: readonly BytePath[];
  /** Files that a mount of their own protects, as long as nobody renames over them from outside. */
  readonly mounted: readonly BytePath[];
}

/** Looks after one state home's workspaces: what commands must not leave behind, in this process and after others. */
export class WorkspaceGuard {
  readonly #stateHome: string;
  readonly #scanner: ProtectedScanner;
  readonly #endUntold: () => void;
  readonly #registry: LiveRegistry;
  readonly #baselines: BaselineStore;
  readonly #neighbours: Neighbours;
  readonly #copies = new Map<string, KeptCopies>();
  /** The last baseline of each workspace. */
  readonly #sealed = new Map<string, SealedBaseline>();
  readonly #watched = new Set<WatchedCommand>();
  /** What could not be moved away is not known to the next command either. */
  readonly #stuck = new Set<BytePath>();
  /** What was found behind killed hosts and nobody has been told yet. */
  #told: string[] = [];
  /** Whether something that was set aside, by whatever host, may still have to be moved to quarantine. */
  #setAsideLeft = true;

  /** @param endUntold ends what killed hosts had started and nobody has told of */
  constructor(stateHome: string, scanner: ProtectedScanner, endUntold: () => void = () => undefined) {
    this.#endUntold = endUntold;
    this.#stateHome = stateHome;
    this.#scanner = scanner;
    this.#registry = new LiveRegistry(stateHome);
    this.#baselines = new BaselineStore(stateHome);
    this.#neighbours = new Neighbours(this.#registry, this.#baselines);
    pruneQuarantine(stateHome);
    new SetAsideRecords(stateHome).reserve();
  }

  /** Sweeps behind hosts that were killed. */
  async recover(): Promise<void> {
    const told = await recover({ stateHome: this.#stateHome, registry: this.#registry, baselines: this.#baselines, neighbours: this.#neighbours, scanner: this.#scanner, endUntold: this.#endUntold });
    this.#told.push(...told);
    if (this.#setAsideLeft) this.#setAsideLeft = !takeSetAside(this.#stateHome);
  }

  /** First step of a command: makes what its grants need to exist. Journalled before anything is made. */
  open(command: SandboxCommand): Opened {
    const { policy, sessionId, callId } = command;
    const needed = neededPlaceholders(policy);
    const shared = policy.grants.length > 0 ? this.#neighbours.sharedPlaceholders(policy) : [];
    const live: LiveCommand = {
      id: this.#registry.newId(),
      host: ownProcess(),
      sessionId,
      callId,
      policy: { mode: policy.mode, workspaceRoot: policy.workspaceRoot, grants: policy.grants, environment: policy.environment, network: policy.network },
      baseline: notBegun,
      placeholders: [...shared, ...needed.map(({ path }) => path)],
    };
    const at = Date.now();
    // Before the others are looked for: whoever ends from now on leaves a note for this one.
    this.#registry.add(live);
    try {
      const made = makePlaceholders(needed);
      return { live: { ...live, placeholders: [...shared, ...made] }, makers: this.#neighbours.makers(live.id, policy.workspaceRoot), at };
    } catch (error) {
      this.#forget(live);
      throw error;
    }
  }

  /** Undoes `open` for a command that is not going to run. */
  abandon({ live }: Opened): void {
    for (const watched of this.#watched) if (watched.live.id === live.id) this.#watched.delete(watched);
    this.#forget(live);
  }

  /** Second step: remembers what is protected now. */
  watch(command: SandboxCommand, { live, makers, at }: Opened, { present, missing, verified, mounted }: Findings): WatchedCommand | { readonly limit: string } {
    const { policy } = command;
    const kept = this.#copiesFor(policy.workspaceRoot).take(verified);
    if ("limit" in kept) return kept;
    const others = [...makers, ...this.#neighbours.makers(live.id, policy.workspaceRoot), ...this.#neighbours.departedMakers(policy.workspaceRoot, at)];
    const foreign = new Set(present.filter((path) => others.some((other) => mayHaveMade(other, path))));
    const baseline: Baseline = {
      known: new Set(present.filter((path) => !this.#stuck.has(path) && !foreign.has(path))),
      missing: missing.filter((path) => !policy.check(toText(path), "write", "bash").allowed),
      kept,
    };
    const sealed = sealBaseline(baseline, this.#sealed.get(policy.workspaceRoot));
    this.#sealed.set(policy.workspaceRoot, sealed);
    const entry = { ...live, baseline: sealed.name };
    // Before the file: whoever prunes asks after his look at the files who uses them.
    this.#registry.replace(entry);
    this.#baselines.write(sealed);
    if (this.#baselines.count() > maxIdleBaselines) this.#baselines.prune(() => this.#registry.baselinesInUse());
    const watched = new WatchedCommand(command, entry, { baseline, foreign, mounted: fileIdentities(mounted) }, {
      sweep: (one) => this.#sweep(one),
      end: (one, gone) => this.#end(one, gone),
      note: (one) => this.#note(one),
      beat: (one) => this.#registry.beat(one.id),
    });
    this.#watched.add(watched);
    return watched;
  }

  close(): void {
    for (const watched of this.#watched) watched.stop();
    this.#watched.clear();
  }

  /** Best effort: where it cannot be written, a later sweep waits a little longer, or until the host is gone. */
  #note(live: LiveCommand): void {
    try {
      this.#registry.replace(live);
    } catch {
      // A full disk must not end the host.
    }
  }

  #sweep({ command: { policy }, live, before: { baseline, foreign }, quarantine }: WatchedCommand): SweepFindings {
    const { workspaceRoot } = policy;
    let makers: readonly Neighbour[] | undefined;
    // Its maker, as long as that lives, has a sweep of its own.
    const leaves = (path: BytePath): boolean => foreign.has(path) && (makers ??= this.#neighbours.makers(live.id, workspaceRoot)).some((other) => mayHaveMade(other, path));
    const found = sweep({ policy, baseline, quarantine, allowances: () => this.#neighbours.allowances(live.id, workspaceRoot), leaves }, this.#scanner);
    for (const path of found.stuck) this.#stuck.add(path);
    for (const path of found.moved) this.#stuck.delete(path);
    if (found.aside.length > 0) this.#setAsideLeft = true;
    if (found.moved.length + found.restored.length + found.aside.length > 0) {
      const [note] = sweepNotes(found, quarantine.directory, workspaceRoot);
      const begun = this.#neighbours.alive(live.id, workspaceRoot).filter((other) => other.baseline !== notBegun);
      for (const other of begun) this.#registry.mark(other.id, note ?? "");
    }
    return found;
  }

  #end(watched: WatchedCommand, gone: boolean): EndFindings {
    const { live } = watched;
    const found = { marks: this.#registry.marksOf(live.id), told: this.#told.splice(0) };
    this.#watched.delete(watched);
    if (!gone) {
      this.#note({ ...live, givenUp: true });
      return found;
    }
    this.#allowWhatWasGranted(watched);
    this.#forget(live);
    return found;
  }

  /** What a grant let this command write is no find for those that still live. */
  #allowWhatWasGranted({ command: { policy }, live, before: { baseline } }: WatchedCommand): void {
    const granted = policy.grants.filter((grant) => grant.access === "write");
    if (granted.length === 0 || this.#neighbours.alive(live.id, policy.workspaceRoot).length === 0) return;
    const written = this.#scanner.scan(policy).entries.filter((entry) => entry.open && !baseline.known.has(entry.path)).map((entry) => entry.path);
    const exact = granted.filter((grant) => grant.scope === "exact").map((grant) => toBytes(grant.path));
    for (const path of [...written, ...exact]) this.#registry.allowed.add({ path, state: stateAt(path) });
  }

  #forget(live: LiveCommand): void {
    removePlaceholders(live.placeholders, this.#neighbours.placeholders(live.id, live.policy.workspaceRoot));
    this.#registry.remove(live.id);
  }

  #copiesFor(workspaceRoot: string): KeptCopies {
    const known = this.#copies.get(workspaceRoot) ?? new KeptCopies();
    this.#copies.set(workspaceRoot, known);
    return known;
  }
}
