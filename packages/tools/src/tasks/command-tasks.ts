import type { SandboxPolicy } from "@fencepost/sandbox";
import { evictable } from "./evict-tasks.ts";
import { launchTask, type LaunchedTask, type TaskLaunch, type TaskServices } from "./launch-task.ts";
import { noticeOf, type TaskNotice } from "./task-notice.ts";
import { isLive, type Task, type TaskRecord, type TaskState } from "./task.ts";

/** The most tasks that are kept at a time, ended ones included. */
export const maxTasks = 64;

/** A task that nobody looks at for this long is let go, in milliseconds. */
const maxIdleMs = 10 * 24 * 60 * 60 * 1000;

/** How often that is looked at, in milliseconds. Starting a task looks, too. */
const idleCheckMs = 60 * 60 * 1000;

/** What one session runs in the background. Turns come and go; closing this ends everything in it. */
export interface CommandTasks {
  /** Starts a task, or gives the one that already runs the same. */
  start(request: TaskRequest): Promise<TaskStart>;
  /** Newest first. */
  list(): readonly Task[];
  /** Looking a task up by its id counts as using it. */
  find(taskId: string): Task | undefined;
  /** What ended since this was last asked, once each: for the start of the next turn. */
  takeNotices(): readonly TaskNotice[];
  /** Kills everything and waits until it is gone. */
  close(): Promise<void>;
}

export interface TaskRequest extends Omit<TaskLaunch, "taskId" | "room"> {
  readonly policy: SandboxPolicy;
  /** False: a running task with the same command, directory, login and terminal is given instead. */
  readonly startNew: boolean;
}

export type TaskStart =
  | { readonly kind: "started" | "already_running"; readonly task: Task }
  | { readonly kind: "not_started"; readonly reason: "unavailable" | "limit" | "failed" | "closed"; readonly message: string };

export function createCommandTasks(services: TaskServices): CommandTasks {
  const tasks = new Map<string, LaunchedTask>();
  /** Let go, and not yet known to have ended. */
  const leaving = new Set<LaunchedTask>();
  const past: TaskRecord[] = services.store.load().map(asInterrupted);
  let notices: TaskNotice[] = [];
  let nextNumber = 1 + Math.max(0, ...past.map((record) => Number(/^task-(\d+)$/.exec(record.taskId)?.[1] ?? 0)));
  let closed = false;
  const idleCheck = setInterval(() => void letGo(maxTasks), idleCheckMs);
  idleCheck.unref();

  function save(): void {
    services.store.save([...past, ...Array.from(tasks.values(), recordOf)].slice(-maxTasks));
  }

  function onEnd(task: LaunchedTask): void {
    if (!closed && task.state !== "cancelled") notices.push(noticeOf(task));
    notices = notices.slice(-maxTasks);
    save();
  }

  /** Lets go of what was idle too long, and of more until at most `maxKept` are left. Settles when they have ended. */
  async function letGo(maxKept: number): Promise<void> {
    const chosen = evictable([...tasks.values()], { maxKept, idleBefore: services.now() - maxIdleMs });
    for (const task of chosen) {
      tasks.delete(task.taskId);
      leaving.add(task);
      task.discard();
    }
    await Promise.all(chosen.map((task) => task.ended));
    for (const task of chosen) leaving.delete(task);
  }

  function running(request: TaskRequest): LaunchedTask | undefined {
    return Array.from(tasks.values()).find((task) => isLive(task.state) && isSame(task, request));
  }

  if (past.length > 0) save();
  return {
    async start(request) {
      if (closed) return { kind: "not_started", reason: "closed", message: "The session is closing, so nothing is started any more." };
      const same = request.startNew ? undefined : running(request);
      if (same) {
        same.touch();
        return { kind: "already_running", task: same };
      }
      const room = letGo(maxTasks - 1);
      const task = launchTask(services, { ...request, taskId: `task-${nextNumber++}`, room }, onEnd);
      tasks.set(task.taskId, task);
      const failure = await task.started;
      if (failure === undefined) {
        save();
        return { kind: "started", task };
      }
      tasks.delete(task.taskId);
      return { kind: "not_started", reason: failure.kind, message: failure.message };
    },
    list: () => [...Array.from(tasks.values()).toReversed(), ...past.toReversed().map(asPastTask)],
    find(taskId) {
      const task = tasks.get(taskId);
      task?.touch();
      const record = task ? undefined : past.find((candidate) => candidate.taskId === taskId);
      return task ?? (record && asPastTask(record));
    },
    takeNotices() {
      const taken = notices;
      notices = [];
      return taken;
    },
    async close() {
      closed = true;
      clearInterval(idleCheck);
      for (const task of tasks.values()) task.discard();
      await Promise.all([...tasks.values(), ...leaving].map((task) => task.ended));
      if (tasks.size > 0) save();
    },
  };
}

function isSame(task: TaskRecord, request: TaskRequest): boolean {
  return (
    task.command === request.command &&
    task.workingDirectory === request.workingDirectory &&
    task.login === request.login &&
    task.tty === (request.terminal !== undefined)
  );
}

/** What ran when an earlier life of the host ended did not outlive it. */
function asInterrupted(record: TaskRecord): TaskRecord {
  return isLive(record.state) ? { ...record, state: "interrupted" satisfies TaskState } : record;
}

function recordOf({ taskId, command, workingDirectory, login, tty, state, startedAt, endedAt, end }: TaskRecord): TaskRecord {
  return { taskId, command, workingDirectory, login, tty, state, startedAt, endedAt, end };
}

/** A task of an earlier life: its output and its process are gone. */
function asPastTask(record: TaskRecord): Task {
  return {
    ...record,
    output: { totalBytes: 0, firstOffset: 0, push() {}, read: () => ({ text: "", offset: 0, nextOffset: 0, droppedBytes: 0 }), waitFor: () => Promise.resolve(), end() {} },
    token: "",
    acceptsInput: false,
    outcome: undefined,
    ended: Promise.resolve(),
    write: () => Promise.resolve(false),
    interrupt() {},
    resize: () => false,
    cancel() {},
  };
}

