import { MessageChannel, type MessagePort } from "node:worker_threads";
import { SearchFault } from "../search-backend.ts";
import { controlBytes, controlSlots } from "../worker/control.ts";
import { noCounts } from "../worker/file-work.ts";
import type { BatchResult, FromWorker, Job, ThreadReport, ToWorker } from "../worker/messages.ts";
import { callAt } from "./call-at.ts";
import { OrderedResults } from "./ordered-results.ts";
import type { SearchPool } from "./search-pool.ts";
import { graceMs, type SearchThread } from "./search-thread.ts";

export interface SearchEvents {
  result(result: BatchResult): void;
  readonly linesFull: () => boolean;
  readonly listFull: () => boolean;
}

export interface SearchRun {
  readonly job: Omit<Job, "control">;
  readonly signal: AbortSignal;
  /** Whether several threads pay: not for one file. */
  readonly parallel: boolean;
  readonly events: SearchEvents;
}

/**
 * Runs one search on the threads of the pool, of which it must have the turn, and returns their reports.
 *
 * @throws SearchFault, or the signal's reason
 */
export function runSearch(pool: SearchPool, run: SearchRun): Promise<readonly ThreadReport[]> {
  if (run.signal.aborted) return Promise.reject(run.signal.reason);
  return new Promise((resolve, reject) => new RunningSearch(pool, run, resolve, reject).start());
}

class RunningSearch {
  readonly #pool: SearchPool;
  readonly #run: SearchRun;
  readonly #resolve: (reports: readonly ThreadReport[]) => void;
  readonly #reject: (error: unknown) => void;
  readonly #control = new Int32Array(new SharedArrayBuffer(controlBytes));
  readonly #ordered: OrderedResults;
  readonly #job: Job;
  readonly #working = new Set<SearchThread>();
  readonly #reports: ThreadReport[] = [];
  #joins: MessagePort | undefined;
  #helpers = 0;
  #leadDone = false;
  #fault: unknown;
  #cleanUp: (() => void)[] = [];

  constructor(pool: SearchPool, run: SearchRun, resolve: (reports: readonly ThreadReport[]) => void, reject: (error: unknown) => void) {
    this.#pool = pool;
    this.#run = run;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#job = { ...run.job, control: this.#control.buffer };
    this.#ordered = new OrderedResults(this.#control, (result) => this.#consume(result));
  }

  start(): void {
    const { parallel, signal, job } = this.#run;
    const threads = this.#pool.threads(parallel ? this.#pool.size : 1);
    const lead = threads.find((thread) => thread.ready) ?? threads[0]!;
    const channel = new MessageChannel();
    this.#joins = channel.port1;
    this.#begin(lead, { kind: "lead", job: this.#job, joins: channel.port2 }, channel.port2);
    if (parallel) {
      const invite = (): void => threads.filter((thread) => thread.ready && !thread.busy).forEach((thread) => this.#invite(thread));
      invite();
      this.#cleanUp.push(this.#pool.onReady(invite));
    }
    const abort = (): void => this.#cancel();
    signal.addEventListener("abort", abort, { once: true });
    this.#cleanUp.push(() => signal.removeEventListener("abort", abort), callAt(job.deadline + graceMs, () => this.#force()));
  }

  #invite(thread: SearchThread): void {
    const slot = controlSlots.firstHelper + this.#helpers;
    if (this.#leadDone || slot >= this.#control.length) return;
    this.#helpers += 1;
    const { port1, port2 } = new MessageChannel();
    this.#begin(thread, { kind: "help", job: this.#job, batches: port2, slot }, port2);
    this.#joins?.postMessage({ batches: port1, slot }, [port1]);
  }

  #begin(thread: SearchThread, message: ToWorker, port: MessagePort): void {
    this.#working.add(thread);
    const ended = (reason: string): void => {
      this.#fault ??= new SearchFault({ kind: "failed" }, `the search could not be finished: ${reason}`);
      this.#over(thread);
    };
    thread.start(message, [port], (received) => this.#receive(thread, message.kind === "lead", received), ended);
  }

  #receive(thread: SearchThread, isLead: boolean, message: FromWorker): void {
    if (message.kind === "result") return this.#ordered.add(message);
    if (message.kind === "fault") this.#fault ??= new SearchFault(message.reason, message.message);
    if (message.kind === "report") this.#reports.push(message);
    if (isLead) {
      this.#leadDone = true;
      Atomics.store(this.#control, controlSlots.leadDone, 1);
    }
    this.#over(thread);
  }

  /** One thread's part is over; a failed one ends the others. */
  #over(thread: SearchThread): void {
    if (!this.#working.delete(thread)) return;
    thread.release();
    const failed = this.#fault !== undefined || this.#reports.some(({ stopped }) => stopped !== undefined && stopped !== "budget");
    if (failed) this.#cancel();
    if (this.#working.size > 0) return;
    this.#joins?.close();
    this.#ordered.flush();
    for (const clean of this.#cleanUp) clean();
    if (this.#run.signal.aborted) this.#reject(this.#run.signal.reason);
    else if (this.#fault === undefined) this.#resolve(this.#reports);
    else this.#reject(this.#fault);
  }

  /** A receiver that throws fails its search; thrown from here the error would end the process. */
  #consume(result: BatchResult): void {
    if (this.#fault !== undefined) return;
    try {
      this.#run.events.result(result);
    } catch (error) {
      this.#fault = error;
      return this.#cancel();
    }
    if (this.#run.events.linesFull()) Atomics.store(this.#control, controlSlots.linesFull, 1);
    if (this.#run.events.listFull()) Atomics.store(this.#control, controlSlots.listFull, 1);
  }

  /** Ends every thread's part, and what hangs a little later. */
  #cancel(): void {
    if (Atomics.exchange(this.#control, controlSlots.cancelled, 1) === 1) return;
    this.#cleanUp.push(callAt(Date.now() + graceMs, () => this.#force()));
  }

  /** A thread hangs in the system, on a dead network disk for instance. */
  #force(): void {
    for (const thread of this.#working) {
      this.#reports.push({ ...nothing, stopped: "timeout" });
      this.#over(thread);
      void thread.stop();
    }
  }
}

const nothing: Omit<ThreadReport, "stopped"> = { ...noCounts, kind: "report", ignoredFiles: 0, ignoredComplete: true, hiddenFiles: 0, hiddenComplete: true, newest: [] };
