/** Ends a search from inside: thrown where it is noticed, caught where the search began. */
export class Stop extends Error {
  override readonly name = "Stop";
  readonly reason: "timeout" | "budget" | "cancelled";

  constructor(reason: "timeout" | "budget" | "cancelled") {
    super(reason);
    this.reason = reason;
  }
}
