import type { Classification } from "../backend/backend.ts";
import { toText } from "../backend/byte-path.ts";
import { isPinnedName, namesPath, type MountPlan } from "./mount-plan.ts";

export interface Ending {
  readonly ran: boolean;
  /** Null where a signal ended it. */
  readonly exitCode: number | null;
  readonly violated: boolean;
}

/**
 * Whether an ended command was refused something. It is inference from the words a program prints about an error, as
 * far as the output shown to the model holds them: a program that hides its errors reads as normal, one that prints
 * such words and fails reads as denied. It decides what the model is told, never what is allowed.
 */
export function classify(ending: Ending, output: string, plan: Pick<MountPlan, "pins" | "mounts" | "masked">): Classification {
  if (!ending.ran) return "runner_failed";
  if (ending.violated) return "denied";
  if (ending.exitCode === 0) return "normal";
  const lines = output.split("\n");
  const refused = lines.some((line) => {
    const words = line.toLowerCase();
    if (words.includes("read-only file system") || words.includes("invalid cross-device link")) return true;
    if (words.includes("permission denied")) return plan.masked.some((path) => namesPath(line, toText(path)));
    return words.includes("busy") && isPinnedName(plan, line);
  });
  return refused ? "denied" : "normal";
}
