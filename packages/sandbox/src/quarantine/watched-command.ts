import { toBytes, type BytePath } from "../backend/byte-path.ts";
import type { SandboxCommand } from "../backend/backend.ts";
import type { ProcessIdentity } from "../backend/process-identity.ts";
import { heartbeatMs, sweepIntervalMs } from "../limits.ts";
import type { Baseline } from "./baseline.ts";
import { replacedSince, type FileIdentities } from "./file-identity.ts";
import type { LiveCommand } from "./live-registry.ts";
import { replacedNotes, sweepNotes } from "./notes.ts";
import { QuarantineCall } from "./quarantine-call.ts";
import type { SweepFindings } from "./sweep.ts";

/** A short call needs no note of its process 1 on disk: its sandbox dies with the host within this time. */
export const initNoteDelayMs = 100;

/** What was in the workspace when the command started. */
export interface Before {
  readonly baseline: Baseline;
  /** There at the start, but perhaps made by a command that still ran then. */
  readonly foreign: ReadonlySet<BytePath>;
  readonly mounted: FileIdentities;
}

/** What others have to say at a command's end, line by line. */
export interface EndFindings {
  /** They found something in the workspace that this command may have done. */
  readonly marks: readonly string[];
  /** What it has nothing to do with, as the clearing up behind a killed host. */
  readonly told: readonly string[];
}

/** What the workspace's guard does for a command. */
export interface WatchedActions {
  sweep(watched: WatchedCommand): SweepFindings;
  end(watched: WatchedCommand, gone: boolean): EndFindings;
  beat(live: LiveCommand): void;
  note(live: LiveCommand): void;
}

/** One command, from its start to the last sweep behind it. */
export class WatchedCommand {
  readonly command: SandboxCommand;
  readonly before: Before;
  readonly quarantine: QuarantineCall;
  live: LiveCommand;
  readonly #actions: WatchedActions;
  readonly #found = { moved: new Set<BytePath>(), restored: new Set<BytePath>(), aside: new Set<BytePath>(), stuck: new Set<BytePath>() };
  #timers: NodeJS.Timeout[] = [];
  #init: () => ProcessIdentity | undefined = () => undefined;

  constructor(command: SandboxCommand, live: LiveCommand, before: Before, actions: WatchedActions) {
    this.command = command;
    this.live = live;
    this.before = before;
    this.#actions = actions;
    this.quarantine = new QuarantineCall(command.policy.environment.stateHome, command.sessionId, command.callId, toBytes(command.policy.workspaceRoot));
  }

  started(init: () => ProcessIdentity | undefined): void {
    this.#init = init;
    const note = setTimeout(() => {
      this.#noteInit();
      if (this.live.init !== undefined) this.#actions.note(this.live);
    }, initNoteDelayMs);
    this.#timers.push(note.unref(), setInterval(() => this.#actions.beat(this.live), heartbeatMs).unref());
    if (this.command.background === true) this.#timers.push(setInterval(() => this.#sweepMeanwhile(), sweepIntervalMs).unref());
  }

  async ended(gone: boolean): Promise<{ readonly violated: boolean; readonly notes: readonly string[] }> {
    this.stop();
    this.#sweep();
    if (!gone) this.#noteInit();
    const { marks, told } = this.#actions.end(this, gone);
    const { moved, restored, aside, stuck } = this.#found;
    const replaced = replacedNotes(replacedSince(this.before.mounted), this.command.policy.workspaceRoot);
    const own = sweepNotes({ moved: [...moved], restored: [...restored], aside: [...aside], stuck: [...stuck] }, this.quarantine.directory, this.command.policy.workspaceRoot);
    return { violated: own.length + marks.length > 0, notes: [...told, ...replaced, ...new Set([...marks, ...own])] };
  }

  stop(): void {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
  }

  #noteInit(): void {
    const init = this.#init();
    if (init !== undefined) this.live = { ...this.live, init };
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
    for (const path of found.aside) this.#found.aside.add(path);
    for (const path of found.stuck) this.#found.stuck.add(path);
  }
}
