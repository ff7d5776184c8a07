import { isLive, type TaskState } from "./task.ts";

export interface EvictionCandidate {
  readonly state: TaskState;
  /** When it was started or looked up last, in milliseconds since the epoch. */
  readonly usedAt: number;
}

export interface EvictionLimits {
  readonly maxKept: number;
  /** What was not used since then goes. */
  readonly idleBefore: number;
}

/** Which tasks are let go: the idle ones, then ended ones, then the least recently used, until the rest fits. */
export function evictable<Candidate extends EvictionCandidate>(tasks: readonly Candidate[], { maxKept, idleBefore }: EvictionLimits): readonly Candidate[] {
  const idle = tasks.filter((task) => task.usedAt < idleBefore);
  const kept = tasks.filter((task) => task.usedAt >= idleBefore);
  const inOrder = kept.toSorted((left, right) => Number(isLive(left.state)) - Number(isLive(right.state)) || left.usedAt - right.usedAt);
  return [...idle, ...inOrder.slice(0, Math.max(0, kept.length - maxKept))];
}
