/** One thing measured against one peer that does the same work. */
export interface BenchCase {
  readonly name: string;
  readonly peer: Contender;
  readonly ours: Contender;
  /** Ours must take at most this many times as long as the peer. */
  readonly target: number;
  /** Interleaved rounds, at least `leastRounds`. */
  readonly rounds?: number;
}

export interface Contender {
  readonly name: string;
  /** One round. What it returns is not looked at. */
  run(): unknown;
  /** Peak memory in bytes of what the last round started elsewhere (a child process); else this process is measured. */
  peakBytes?(): number | undefined;
}

/** The result of one case. */
export interface BenchRow {
  readonly name: string;
  readonly peer: string;
  readonly peerMs: number;
  readonly oursMs: number;
  /** Median of the ratios of each round, not the ratio of the medians. */
  readonly ratio: number;
  readonly target: number;
  readonly peakBytes: number | undefined;
}
