export type PlanStatus = "pending" | "in_progress" | "completed";

export interface PlanStep {
  readonly step: string;
  readonly status: PlanStatus;
}

/** The model's own list of what it does: replaced as a whole, shown to people. */
export interface Plan {
  readonly explanation?: string;
  readonly steps: readonly PlanStep[];
}
