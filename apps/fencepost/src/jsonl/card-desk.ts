import type { Approver, PermissionDecision, PermissionRequest } from "@fencepost/core";

/** Cards that wait for the host's answer. */
export interface CardDesk {
  readonly approver: Approver;
  /** False where no such card waits. */
  answer(requestId: string, decision: PermissionDecision): boolean;
}

export function createCardDesk(send: (card: PermissionRequest) => void): CardDesk {
  const waiting = new Map<string, (decision: PermissionDecision) => void>();
  return {
    approver: {
      decide: (request, signal) =>
        new Promise((resolve, reject) => {
          const withdraw = (): void => {
            waiting.delete(request.requestId);
            reject(signal.reason instanceof Error ? signal.reason : new Error("withdrawn"));
          };
          if (signal.aborted) return withdraw();
          signal.addEventListener("abort", withdraw, { once: true });
          waiting.set(request.requestId, (decision) => {
            signal.removeEventListener("abort", withdraw);
            resolve(decision);
          });
          return send(request);
        }),
    },
    answer(requestId, decision) {
      const settle = waiting.get(requestId);
      waiting.delete(requestId);
      settle?.(decision);
      return settle !== undefined;
    },
  };
}
