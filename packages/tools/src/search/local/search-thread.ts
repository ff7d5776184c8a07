import { Worker, type TransferListItem } from "node:worker_threads";
import type { FromWorker, ToWorker } from "../worker/messages.ts";
import { callAt } from "./call-at.ts";
import { workerSource } from "./worker-source.generated.ts";

/** Memory one thread's heap may take, in MiB. File buffers are outside of it. */
const heapMib = 128;

/** How much of it is for what is young, in MiB: less, and it is collected all the time; more, and it lies idle. */
const youngHeapMib = 4;

/** How long a thread may take to notice that it is to end, in milliseconds: it may hang in the system, on a dead network disk. */
export const graceMs = 2000;

/** One worker thread. It holds the process open only while it has work. */
export class SearchThread {
  readonly #worker: Worker;
  #listener: ((message: FromWorker) => void) | undefined;
  #ended: ((reason: string) => void) | undefined;
  #ready = false;
  dead = false;

  constructor(onReady: () => void, source: string = workerSource) {
    this.#worker = new Worker(source, {
      eval: true,
      execArgv: [],
      env: {},
      stdin: false,
      resourceLimits: { maxOldGenerationSizeMb: heapMib, maxYoungGenerationSizeMb: youngHeapMib },
    });
    this.#worker.unref();
    this.#worker.on("message", (message: FromWorker) => {
      if (message.kind === "ready") {
        this.#ready = true;
        onReady();
      } else this.#listener?.(message);
    });
    this.#worker.on("error", (error) => this.#die(error.message));
    this.#worker.on("exit", () => this.#die("a search thread ended"));
  }

  get ready(): boolean {
    return this.#ready && !this.dead;
  }

  get busy(): boolean {
    return this.#listener !== undefined;
  }

  /** Gives it a part of a search. */
  start(message: ToWorker, transfer: readonly TransferListItem[], listener: (message: FromWorker) => void, ended: (reason: string) => void): void {
    this.#listener = listener;
    this.#ended = ended;
    this.#worker.ref();
    this.#worker.postMessage(message, transfer);
  }

  /** Its part is over. */
  release(): void {
    this.#listener = undefined;
    this.#ended = undefined;
    this.#worker.unref();
  }

  /** Ends it, and tells whoever has given it work. One that hangs in the system is not waited for. */
  async stop(): Promise<void> {
    this.#die("a search thread was ended");
    await new Promise<void>((resolve) => {
      const forget = callAt(Date.now() + graceMs, resolve);
      void this.#worker.terminate().then(() => {
        forget();
        resolve();
      });
    });
  }

  #die(reason: string): void {
    if (this.dead) return;
    this.dead = true;
    this.#ended?.(reason);
  }
}
