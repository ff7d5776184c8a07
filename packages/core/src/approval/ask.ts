import { ApproverGoneError } from "./approver-gone.ts";
import type { Approver, PermissionRequest } from "./approver.ts";

export type Answer =
  | { readonly kind: "allow" }
  | { readonly kind: "deny" }
  | { readonly kind: "cancelled" }
  | { readonly kind: "gone" }
  | { readonly kind: "failed"; readonly reason: string };

export interface AskSignals {
  /** The call was cancelled. */
  readonly cancelled: AbortSignal;
  /** The session is closing. */
  readonly ownerGone: AbortSignal;
}

/** Puts one card to the approver. Whatever the approver does, the answer is one of five, and only "allow" allows. */
export async function ask(approver: Approver, request: PermissionRequest, signals: AskSignals): Promise<Answer> {
  const withdrawn = AbortSignal.any([signals.cancelled, signals.ownerGone]);
  const interrupted = (): Answer => (signals.ownerGone.aborted ? { kind: "gone" } : { kind: "cancelled" });
  if (withdrawn.aborted) return interrupted();
  let stopListening: (() => void) | undefined;
  const interruption = new Promise<Answer>((resolve) => {
    const onAbort = (): void => resolve(interrupted());
    withdrawn.addEventListener("abort", onAbort, { once: true });
    stopListening = () => withdrawn.removeEventListener("abort", onAbort);
  });
  try {
    const answer = await Promise.race([interruption, decide(approver, request, withdrawn)]);
    // An answer that arrives together with the cancellation allows nothing.
    return withdrawn.aborted ? interrupted() : answer;
  } finally {
    stopListening?.();
  }
}

async function decide(approver: Approver, request: PermissionRequest, withdrawn: AbortSignal): Promise<Answer> {
  try {
    const decision: unknown = await approver.decide(request, withdrawn);
    if (decision === "allow" || decision === "deny") return { kind: decision };
    return { kind: "failed", reason: "the answer was neither allow nor deny" };
  } catch (error) {
    if (ApproverGoneError.isInstance(error)) return { kind: "gone" };
    return { kind: "failed", reason: error instanceof Error ? error.message : "the question failed" };
  }
}
