import { controlSlots } from "../worker/control.ts";
import { letGo } from "../worker/list-pieces.ts";
import type { BatchResult } from "../worker/messages.ts";

/** Puts the batches of several threads back into walk order, and hands each on as soon as it is its turn. */
export class OrderedResults {
  readonly #control: Int32Array;
  readonly #consume: (result: BatchResult) => void;
  readonly #waiting = new Map<number, BatchResult[]>();
  #next = 0;

  constructor(control: Int32Array, consume: (result: BatchResult) => void) {
    this.#control = control;
    this.#consume = consume;
  }

  add(result: BatchResult): void {
    if (result.batch !== this.#next) {
      const waiting = this.#waiting.get(result.batch);
      if (waiting) waiting.push(result);
      else this.#waiting.set(result.batch, [result]);
      return;
    }
    this.#hand(result);
    if (result.next !== undefined) this.#advance(result.next);
  }

  /** The search ended early: what is there is handed on, in order, though some batches are missing. */
  flush(): void {
    for (const batch of [...this.#waiting.keys()].toSorted((left, right) => left - right)) {
      for (const result of this.#waiting.get(batch) ?? []) this.#hand(result);
    }
    this.#waiting.clear();
  }

  #advance(to: number): void {
    for (let next: number | undefined = to; next !== undefined; ) {
      this.#next = next;
      Atomics.store(this.#control, controlSlots.awaitedBatch, next);
      const waiting: readonly BatchResult[] = this.#waiting.get(next) ?? [];
      this.#waiting.delete(next);
      for (const result of waiting) this.#hand(result);
      next = waiting.at(-1)?.next;
    }
  }

  #hand(result: BatchResult): void {
    this.#consume(result);
    if (result.list) letGo(result.list);
    if (result.bytes === 0) return;
    Atomics.sub(this.#control, controlSlots.bytesOnTheWay, result.bytes);
    Atomics.notify(this.#control, controlSlots.bytesOnTheWay);
  }
}
