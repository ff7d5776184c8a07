import { readFileSync } from "node:fs";
import type { Gate } from "./gates.ts";
import { mountFault, type PlannedMounts } from "./mount-check.ts";
import { areSamePlaces, type PlannedPlace } from "./planned-places.ts";

/** How often a runner is looked at until it has set everything up. Those that start at once take turns. */
const lookIntervalMs = 1;

/** In this process: each look reads from the kernel, which many at once would be kept from starting by. */
const waiting = new Set<Gatekeeper>();

export const changedMeanwhileText = "[sandbox: the command was not started, because a directory that it needs was moved or replaced while its sandbox was being set up. Call again; if this stays so, another program keeps changing the workspace]";

/** Lets a command start only in the sandbox that was planned. */
export class Gatekeeper {
  readonly #gate: Gate;
  readonly #planned: PlannedMounts;
  readonly #places: readonly PlannedPlace[];
  readonly #refuse: () => void;
  #timer: NodeJS.Timeout | undefined;
  #watching = false;
  #ended = false;
  refused = false;

  /** @param refuse ends the runner */
  constructor({ gate, planned, places, refuse }: { readonly gate: Gate; readonly planned: PlannedMounts; readonly places: readonly PlannedPlace[]; readonly refuse: () => void }) {
    this.#gate = gate;
    this.#planned = planned;
    this.#places = places;
    this.#refuse = refuse;
  }

  /** @param init process 1 of the sandbox, which waits at the gate once everything is mounted */
  watch(init: number): void {
    if (this.#watching || this.#ended) return;
    this.#watching = true;
    this.#look(init);
  }

  /** The runner has ended or will not be started. */
  end(): void {
    this.#ended = true;
    waiting.delete(this);
    clearTimeout(this.#timer);
    this.#gate.close();
  }

  #look(init: number): void {
    const progress = progressOf(init);
    if (progress === "mounting") {
      waiting.add(this);
      this.#timer = setTimeout(() => this.#look(init), lookIntervalMs * waiting.size);
      return;
    }
    waiting.delete(this);
    if (progress === "gone") return;
    if (this.#isAsPlanned(init)) return this.#gate.open();
    this.refused = true;
    this.#refuse();
  }

  #isAsPlanned(init: number): boolean {
    try {
      const [inside, outside] = [`/proc/${init}/mountinfo`, "/proc/self/mountinfo"].map((path) => readFileSync(path, "latin1"));
      if (inside === undefined || outside === undefined) return false;
      return mountFault(inside, outside, this.#planned) === undefined && areSamePlaces(this.#places, `/proc/${init}/root`);
    } catch {
      return false;
    }
  }
}

/** The runner drops its last capability after its last mount, and then waits at the gate. */
function progressOf(init: number): "mounting" | "ready" | "gone" {
  try {
    // As UTF-8, because Node reads a file that tells no size in one step only so.
    const status = readFileSync(`/proc/${init}/status`, "utf8");
    if (/^State:\t[ZX]/m.test(status)) return "gone";
    return /^CapEff:\t0+$/m.test(status) ? "ready" : "mounting";
  } catch {
    return "gone";
  }
}
