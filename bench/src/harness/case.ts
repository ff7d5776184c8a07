export interface Contender {
  readonly name: string;
  /** One round. What it returns is not looked at. */
  run(): unknown;
  /** Peak memory in bytes of what the last round started elsewhere (a child process); else this process is measured. */
  peakBytes?(): number | undefined;
  /** What the last round took, where that is less than from the call of `run` to its end: a child that times itself. */
  lastMs?(): number;
}

/** Something that does the same work as ours. */
export interface Peer extends Contender {
  /** Ours must take at most this many times as long. Undefined: shown, not judged. */
  readonly target?: number;
}

/** One thing measured against peers, in turn (A B C A B C …). */
export interface Comparison {
  readonly name: string;
  readonly peers: readonly Peer[];
  readonly ours: Contender;
  /** Interleaved rounds, at least `leastRounds`. */
  readonly rounds?: number;
}

/** The result of one case. */
export interface BenchRow {
  readonly name: string;
  readonly peer: string;
  readonly peerMs: number;
  readonly oursMs: number;
  /** Median of the ratios of each round, not the ratio of the medians. */
  readonly ratio: number;
  readonly target: number | undefined;
  readonly peakBytes: number | undefined;
}

/** A figure that is judged by itself. */
export interface BenchLimit {
  readonly name: string;
  readonly figure: number;
  readonly unit: string;
  readonly target: number;
}
