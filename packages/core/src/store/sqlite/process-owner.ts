import { isProcessRunning, ownProcess } from "@fencepost/sandbox";

/** Names this process so that a later one can tell whether it still lives. */
export function currentOwner(): string {
  const { pid, started, place } = ownProcess();
  return [pid, started, place].join(" ");
}

/** Whether the process that wrote this name is gone. One that nobody here can tell of counts as gone: a store belongs to one machine. */
export function isGone(owner: string): boolean {
  const [pidText = "", started = "", place = ""] = owner.split(" ");
  const pid = Number(pidText);
  return !Number.isSafeInteger(pid) || pid <= 0 || isProcessRunning({ pid, started, place }) !== true;
}
