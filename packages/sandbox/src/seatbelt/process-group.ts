import { setTimeout as delay } from "node:timers/promises";
import { settlePollMs, settleTimeoutMs } from "../limits.ts";

type Sent = "sent" | "gone" | "failed";

/** To everything in the group that `leader` leads. */
export function signalGroup(leader: number, signal: NodeJS.Signals): Sent {
  return send(-leader, signal);
}

/** Kills what is left of a group and waits until nothing of it lives. False: something still does after the time. */
export async function groupGone(leader: number): Promise<boolean> {
  const until = performance.now() + settleTimeoutMs;
  while (send(-leader, "SIGKILL") !== "gone") {
    if (performance.now() > until) return false;
    await delay(settlePollMs);
  }
  return true;
}

function send(target: number, signal: NodeJS.Signals): Sent {
  try {
    process.kill(target, signal);
    return "sent";
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH" ? "gone" : "failed";
  }
}
