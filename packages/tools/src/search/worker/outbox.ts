import type { FileMatches } from "../search-backend.ts";
import { controlSlots, maxBytesOnTheWay } from "./control.ts";
import type { BatchResult } from "./messages.ts";

/** How much of the list is gathered before it is sent, in bytes. */
const pieceBytes = 128 * 1024;

/**
 * Gathers the results of one batch and sends them in pieces. Waits while the main thread has more on its way than it
 * may hold, so that a search's memory does not depend on how much it finds.
 */
export class Outbox {
  readonly #control: Int32Array;
  readonly #job: number;
  readonly #send: (message: BatchResult, transfer: readonly ArrayBuffer[]) => void;
  readonly #check: () => void;
  #batch = 0;
  #files: FileMatches[] = [];
  #fileBytes = 0;
  #list = Buffer.alloc(0);
  #listed = 0;
  #waits = true;

  constructor(control: Int32Array, job: number, send: (message: BatchResult, transfer: readonly ArrayBuffer[]) => void, check: () => void) {
    this.#control = control;
    this.#job = job;
    this.#send = send;
    this.#check = check;
  }

  begin(batch: number): void {
    this.#batch = batch;
    this.#files = [];
    this.#fileBytes = 0;
    this.#listed = 0;
  }

  file(found: FileMatches): void {
    this.#files.push(found);
    this.#fileBytes += found.path.length + 64 + found.lines.reduce((sum, line) => sum + 64 + line.text.length, 0);
    if (this.#fileBytes >= pieceBytes) this.#flush(undefined);
  }

  /** Adds to the list, unless it is full. */
  list(parts: readonly Uint8Array[]): void {
    if (Atomics.load(this.#control, controlSlots.listFull) === 1) return;
    for (const part of parts) {
      for (let from = 0; from < part.length; ) {
        if (this.#list.length === 0) this.#list = Buffer.from(new ArrayBuffer(pieceBytes));
        const count = Math.min(part.length - from, pieceBytes - this.#listed);
        this.#list.set(part.subarray(from, from + count), this.#listed);
        this.#listed += count;
        from += count;
        if (this.#listed === pieceBytes) this.#flush(undefined);
      }
    }
  }

  /** @param next the number of the batch that follows */
  end(next: number): void {
    this.#flush(next);
  }

  /** The search ends in the middle of the batch: what was found is sent without waiting. */
  abandon(next: number): void {
    this.#waits = false;
    this.#flush(next);
  }

  #flush(next: number | undefined): void {
    const whole = this.#listed === pieceBytes;
    const list = this.#listed === 0 ? undefined : whole ? this.#list : Buffer.from(Uint8Array.prototype.slice.call(this.#list, 0, this.#listed).buffer);
    const bytes = this.#fileBytes + this.#listed;
    if (bytes > 0) this.#wait(bytes);
    const message: BatchResult = {
      kind: "result",
      job: this.#job,
      batch: this.#batch,
      bytes,
      next,
      ...(this.#files.length > 0 && { files: this.#files }),
      ...(list && { list: new Uint8Array(list.buffer, list.byteOffset, list.length) }),
    };
    this.#send(message, list ? [list.buffer] : []);
    if (whole) this.#list = Buffer.alloc(0);
    this.#files = [];
    this.#fileBytes = 0;
    this.#listed = 0;
  }

  #wait(bytes: number): void {
    const { bytesOnTheWay, awaitedBatch } = controlSlots;
    while (this.#waits) {
      const limit = Atomics.load(this.#control, awaitedBatch) === this.#batch ? 2 * maxBytesOnTheWay : maxBytesOnTheWay;
      const now = Atomics.load(this.#control, bytesOnTheWay);
      if (now === 0 || now + bytes <= limit) break;
      this.#check();
      Atomics.wait(this.#control, bytesOnTheWay, now, 20);
    }
    Atomics.add(this.#control, bytesOnTheWay, bytes);
  }
}
