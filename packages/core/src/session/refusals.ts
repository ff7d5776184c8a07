import { resultText, type ToolResult } from "@fencepost/contract";
import type { PreparedCall } from "@fencepost/tools";

/** How many refusals are remembered for the card of the call that answers one. */
const maxRefusals = 64;

const maxLineCharacters = 300;

/** What the kernel says when it refuses, whichever program passes it on. */
const kernelRefusal = /read-only file system|permission denied|operation not permitted|invalid cross-device link|resource busy/i;

/** The refusals of one session or turn, so that a card can show which one its call answers. In memory only. */
export interface Refusals {
  readonly note: (prepared: PreparedCall, result: ToolResult) => void;
  /** The line of the refusal that this call answers: same tool, same command or targets. */
  readonly earlier: (prepared: PreparedCall) => string | undefined;
  readonly clear: () => void;
}

export function createRefusals(): Refusals {
  const lines = new Map<string, string>();
  return {
    note(prepared, result) {
      if (!result.sandboxDenied) return;
      const key = subjectOf(prepared);
      lines.delete(key);
      lines.set(key, refusalLine(resultText(result)));
      const oldest = lines.keys().next();
      if (lines.size > maxRefusals && !oldest.done) lines.delete(oldest.value);
    },
    earlier: (prepared) => lines.get(subjectOf(prepared)),
    clear: () => lines.clear(),
  };
}

function subjectOf({ tool, facts }: PreparedCall): string {
  return JSON.stringify([tool.id, facts.kind === "runs" ? facts.commands : facts.kind === "writes" ? facts.targets : []]);
}

/** The line that says most: the kernel's own, else the marker. Output is a stranger's text, so no control characters. */
function refusalLine(text: string): string {
  const lines = text.split("\n");
  const line = lines.findLast((candidate) => kernelRefusal.test(candidate)) ?? lines.find((candidate) => candidate.startsWith("[sandbox:")) ?? lines[0] ?? "";
  const shown = Array.from(line.replaceAll(/[\p{Cc}\p{Cf}]/gu, " ").trim());
  return shown.length > maxLineCharacters ? `${shown.slice(0, maxLineCharacters).join("")}…` : shown.join("");
}
