import type { FileMatches } from "../search-backend.ts";
import { controlSlots, maxBytesOnTheWay, napMs } from "./control.ts";
import { ListPieces, pieceBytes, type ListPiece } from "./list-pieces.ts";
import type { BatchResult } from "./messages.ts";

/** Kept by the thread: all its searches use them. */
const pieces = new ListPieces();

/**
 * Gathers the results of one batch and sends them in pieces. Waits while the main thread has more on its way than it
 * may hold, so that a search's memory does not depend on how much it finds.
 */
export class Outbox {
  readonly #control: Int32Array;
  readonly #send: (message: BatchResult) => void;
  readonly #check: () => void;
  #batch = 0;
  #files: FileMatches[] = [];
  #fileBytes = 0;
  #piece: ListPiece | undefined;
  /** What of the piece was sent, and what is written. */
  #sent = 0;
  #written = 0;
  #waits = true;

  constructor(control: Int32Array, send: (message: BatchResult) => void, check: () => void) {
    this.#control = control;
    this.#send = send;
    this.#check = check;
  }

  begin(batch: number): void {
    this.#batch = batch;
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
        this.#piece ??= pieces.take();
        const count = Math.min(part.length - from, pieceBytes - this.#written);
        this.#piece.text.set(part.subarray(from, from + count), this.#written);
        this.#written += count;
        from += count;
        if (this.#written === pieceBytes) this.#flush(undefined);
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

  /** The search is over for this thread. */
  rest(): void {
    if (this.#piece) Atomics.sub(this.#piece.users, 0, 1);
    this.#piece = undefined;
    pieces.rest();
  }

  #flush(next: number | undefined): void {
    const bytes = this.#fileBytes + this.#written - this.#sent;
    if (bytes > 0) this.#wait(bytes);
    const list = this.#takeList();
    this.#send({ kind: "result", batch: this.#batch, bytes, next, ...(this.#files.length > 0 && { files: this.#files }), ...(list && { list }) });
    if (this.#files.length > 0) this.#files = [];
    this.#fileBytes = 0;
  }

  /** What was written since it was sent last. */
  #takeList(): Uint8Array | undefined {
    const piece = this.#piece;
    if (!piece || this.#written === this.#sent) return undefined;
    const list = piece.text.subarray(this.#sent, this.#written);
    this.#sent = this.#written;
    if (this.#written < pieceBytes) {
      Atomics.add(piece.users, 0, 1);
      return list;
    }
    // Full: who wrote it leaves its place to who reads it.
    this.#piece = undefined;
    this.#sent = 0;
    this.#written = 0;
    return list;
  }

  #wait(bytes: number): void {
    const { bytesOnTheWay, awaitedBatch } = controlSlots;
    while (this.#waits) {
      const limit = Atomics.load(this.#control, awaitedBatch) === this.#batch ? 2 * maxBytesOnTheWay : maxBytesOnTheWay;
      const now = Atomics.load(this.#control, bytesOnTheWay);
      if (now === 0 || now + bytes <= limit) break;
      this.#check();
      Atomics.wait(this.#control, bytesOnTheWay, now, napMs);
    }
    Atomics.add(this.#control, bytesOnTheWay, bytes);
  }
}
