const marker = Symbol.for("@fencepost/core/ApproverGoneError");

/** An approver rejects with this where the person it asked is gone: the call ends `outcome_unknown`, and nothing runs. */
export class ApproverGoneError extends Error {
  override readonly name = "ApproverGoneError";
  readonly [marker] = true;

  static isInstance(value: unknown): value is ApproverGoneError {
    return typeof value === "object" && value !== null && marker in value;
  }
}
