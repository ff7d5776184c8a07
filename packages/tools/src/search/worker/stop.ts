import type { EarlyEnd } from "../search-backend.ts";

export type StopReason = EarlyEnd | "cancelled";

/** Ends a search from inside: thrown where it is noticed, caught where the search began. */
export class Stop extends Error {
  override readonly name = "Stop";
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(reason);
    this.reason = reason;
  }
}
