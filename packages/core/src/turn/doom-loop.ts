import type { ToolCall } from "../conversation/message.ts";
import { canonicalArguments } from "./canonical-json.ts";

/** The same call this many times in a row is not executed, and ends the turn. */
export const doomLoopThreshold = 3;

/** Tools that are called again with the same arguments by design. */
export const pollingTools: ReadonlySet<string> = new Set(["wait_agent", "command_output", "command_status"]);

export interface DoomLoop {
  /** Whether a call would repeat the last one. Counts nothing. */
  repeats(call: Pick<ToolCall, "toolId" | "input">): boolean;
  /** Counts a call: how it stands in a row of identical ones. */
  next(call: Pick<ToolCall, "toolId" | "input">): "fine" | "remind" | "stop";
}

export function createDoomLoop(): DoomLoop {
  let last: string | undefined;
  let times = 0;
  return {
    repeats: (call) => !pollingTools.has(call.toolId) && callKey(call) === last,
    next(call) {
      if (pollingTools.has(call.toolId)) return "fine";
      const key = callKey(call);
      times = key === last ? times + 1 : 1;
      last = key;
      if (times >= doomLoopThreshold) return "stop";
      return times > 1 ? "remind" : "fine";
    },
  };
}

/** Equal for calls of one tool with the same arguments, however they are written. */
export function callKey({ toolId, input }: Pick<ToolCall, "toolId" | "input">): string {
  return JSON.stringify([toolId, canonicalArguments(input)]);
}
