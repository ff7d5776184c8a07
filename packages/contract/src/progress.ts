/** Best effort: a full or absent consumer loses events, and never changes or delays a result. */
export interface ProgressEvent {
  readonly kind: "stdout" | "stderr" | "message";
  readonly text: string;
}

export type ProgressSink = (event: ProgressEvent) => void;
