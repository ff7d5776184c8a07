/** Why a turn did not complete. */
export type TurnFailureCode =
  | "model_error"
  | "model_protocol_error"
  | "persistence_error"
  | "permission_denied"
  | "doom_loop"
  | "max_model_calls"
  | "busy"
  | "no_model"
  | "closed"
  | "internal_error";

/** How a turn ended. `interrupted`: the process that ran it is gone; only ever read from a store. */
export type TurnOutcome =
  | { readonly status: "completed"; readonly text: string }
  | { readonly status: "failed"; readonly code: TurnFailureCode; readonly message: string }
  | { readonly status: "cancelled" }
  | { readonly status: "interrupted" };

/** What `prompt` answers: the turn it started, or the one that the same request id had started. */
export interface PromptResult {
  /** Undefined where no turn was started. */
  readonly turnId?: string;
  readonly outcome: TurnOutcome;
}
