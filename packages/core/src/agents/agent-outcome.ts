import type { TurnOutcome } from "../turn/turn-outcome.ts";
import { estimateTokens, maxMessageTokens } from "./agent-limits.ts";

/** What the session that started an agent is told of a turn of it. */
export function outcomeText(name: string, outcome: TurnOutcome): string {
  switch (outcome.status) {
    case "completed":
      return completedText(name, outcome.text);
    case "failed":
      return `agent ${name} failed (${outcome.code}): ${outcome.message}. Use followup_task to try again, or go on without it.`;
    case "cancelled":
      return `agent ${name} was interrupted. Use followup_task to give it another task.`;
    default:
      return `agent ${name} was interrupted by a restart, and its work is lost. Use followup_task to try again.`;
  }
}

function completedText(name: string, text: string): string {
  const tokens = estimateTokens(text);
  if (tokens > maxMessageTokens) {
    return `agent ${name} answered with about ${tokens} tokens, and a message has at most ${maxMessageTokens}. Use followup_task to ask for a shorter answer.`;
  }
  return text.trim() === "" ? `agent ${name} ended without an answer.` : `agent ${name} answered:\n${text}`;
}
