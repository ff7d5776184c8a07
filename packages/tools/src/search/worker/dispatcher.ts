import { receiveMessageOnPort, type MessagePort } from "node:worker_threads";
import { controlSlots, napMs } from "./control.ts";
import type { Batch, Join } from "./messages.ts";

/** Files a batch: enough to be worth a message, few enough that its result is soon there. More, the longer it takes anyway. */
const leastFilesABatch = 48;
const mostFilesABatch = 256;

/** Batches a helper may have waiting. */
const batchesAHelper = 2;

/** A file waits so long at most until its batch is full, in milliseconds: where few files fit, they are searched all the same. */
const longestWaitMs = 100;

/** Numbers between one batch and the next: what a batch can be split into. */
const numbersABatch = 64;

/** In a helper's slot: it takes nothing more, whatever it was given. */
export const helperLeft = -1_000_000;

/** Puts files into batches, and gives each to a helper that has room or searches it itself. */
export class Dispatcher {
  readonly #control: Int32Array;
  readonly #joins: MessagePort;
  readonly #search: (batch: Batch) => void;
  readonly #check: () => void;
  readonly #helpers: Join[] = [];
  #files: string[] = [];
  #number = 0;
  #filesABatch = leastFilesABatch;
  /** When the first of the files that wait was added. */
  #since = 0;

  constructor(control: Int32Array, joins: MessagePort, search: (batch: Batch) => void, check: () => void) {
    this.#control = control;
    this.#joins = joins;
    this.#search = search;
    this.#check = check;
  }

  add(path: string): void {
    if (this.#files.length === 0) this.#since = Date.now();
    this.#files.push(path);
    if (this.#files.length >= this.#filesABatch) this.flush();
  }

  /** While the walk goes on: what has waited long enough is searched. */
  flushOld(): void {
    if (this.#files.length > 0 && Date.now() - this.#since >= longestWaitMs) this.flush();
  }

  flush(): void {
    const files = this.#files;
    if (files.length === 0) return;
    this.#files = [];
    const batch = { number: this.#number, next: this.#number + numbersABatch, files };
    this.#number = batch.next;
    this.#filesABatch = Math.min(mostFilesABatch, this.#filesABatch + 1);
    this.#welcome();
    const helper = this.#helpers.find(({ slot }) => {
      const waiting = Atomics.load(this.#control, slot);
      return waiting >= 0 && waiting < batchesAHelper;
    });
    if (helper) this.#give(helper, batch);
    else this.#search(batch);
  }

  /** Gives the second half of a batch's files from `from` on to a helper that has nothing to do; undefined: there is none. */
  split(batch: Batch, from: number): Batch | undefined {
    if (this.#helpers.length === 0) this.#welcome();
    const helper = this.#helpers.find(({ slot }) => Atomics.load(this.#control, slot) === 0);
    const [mine, other] = helper ? halves(batch, from) : [];
    if (helper && other) this.#give(helper, other);
    return mine;
  }

  /**
   * All files are added: searches what helpers hand back, until they have finished as well. At most one batch is on its
   * way back, and begun at once: the batch whose results are waited for must never lie behind a later one.
   */
  finish(): void {
    const { leadWaits, helperNews } = controlSlots;
    for (;;) {
      Atomics.store(this.#control, leadWaits, 1);
      while (Atomics.load(this.#control, leadWaits) === 1) {
        const news = Atomics.load(this.#control, helperNews);
        const busy = this.#helpers.some(({ slot }) => Atomics.load(this.#control, slot) > 0);
        if (!busy && Atomics.compareExchange(this.#control, leadWaits, 1, 0) === 1) return;
        this.#check();
        if (Atomics.load(this.#control, leadWaits) === 1) Atomics.wait(this.#control, helperNews, news, napMs);
      }
      this.#search(this.#returned());
    }
  }

  /** Tells the helpers that nothing more comes. */
  close(): void {
    this.#welcome();
    for (const helper of this.#helpers) this.#give(helper, undefined);
    this.#joins.close();
  }

  #give({ batches, slot }: Join, batch: Batch | undefined): void {
    // Counted first: whoever sees the helper at rest knows that nothing is on its way to it.
    Atomics.add(this.#control, slot, 1);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of worker threads, not a window
    batches.postMessage(batch);
    Atomics.notify(this.#control, slot);
  }

  /** What a helper has announced: it is there in a moment. */
  #returned(): Batch {
    for (;;) {
      for (const { batches } of this.#helpers) {
        const received: { message: Batch } | undefined = receiveMessageOnPort(batches);
        if (received) return received.message;
      }
      this.#check();
    }
  }

  #welcome(): void {
    for (let received: { message: Join } | undefined; (received = receiveMessageOnPort(this.#joins)); ) this.#helpers.push(received.message);
  }
}

/** As `split`, for a helper: hands files back to the leader, if that waits. */
export function splitForLeader(control: Int32Array, leader: MessagePort, batch: Batch, from: number): Batch | undefined {
  const { leadWaits } = controlSlots;
  if (Atomics.load(control, leadWaits) !== 1) return undefined;
  const [mine, other] = halves(batch, from);
  if (!other || Atomics.compareExchange(control, leadWaits, 1, 0) !== 1) return undefined;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of worker threads, not a window
  leader.postMessage(other);
  tellLeader(control);
  return mine;
}

/** Wakes the leader, if it waits. */
export function tellLeader(control: Int32Array): void {
  Atomics.add(control, controlSlots.helperNews, 1);
  Atomics.notify(control, controlSlots.helperNews);
}

function halves({ number, next, files }: Batch, from: number): readonly [Batch, Batch] | readonly [] {
  const middle = (number + next) >> 1;
  const half = Math.ceil((from + files.length) / 2);
  if (half === files.length || middle === number) return [];
  return [
    { number, next: middle, files: files.slice(0, half) },
    { number: middle, next, files: files.slice(half) },
  ];
}
