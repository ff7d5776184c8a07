import type { TaskRecord } from "./task.ts";

/** Keeps what became of a session's tasks over a restart of the host. Best effort: a lost record loses history only. */
export interface TaskStore {
  load(): readonly TaskRecord[];
  save(records: readonly TaskRecord[]): void;
}

/** Nothing outlives the host. */
export const forgetfulTaskStore: TaskStore = { load: () => [], save: () => {} };
