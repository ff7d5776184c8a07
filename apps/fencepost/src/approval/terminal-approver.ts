import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Approver, PermissionDecision, PermissionRequest } from "@fencepost/core";
import type { Terminal } from "../cli/terminal.ts";
import { renderCard, renderQuestion } from "../view/card.ts";

/**
 * Asks on the terminal, on standard error: standard output holds results only. Anything but a plain yes is a no, also the
 * end of input. What was typed before the card was shown does not answer it.
 */
export function terminalApprover(terminal: Terminal): Approver {
  return {
    async decide(request: PermissionRequest, signal: AbortSignal): Promise<PermissionDecision> {
      await discardTypeahead(terminal);
      terminal.stderr.write(`${renderCard(request, terminal.err).join("\n")}\n${renderQuestion(terminal.err)}`);
      const answer = await readLine(terminal, signal);
      return /^\s*y(es)?\s*$/i.test(answer) ? "allow" : "deny";
    },
  };
}

async function readLine(terminal: Terminal, signal: AbortSignal): Promise<string> {
  // Not a `terminal` interface: the kernel edits the line, and Ctrl-C stays a signal.
  const lines = createInterface({ input: terminal.stdin, terminal: false });
  try {
    const closed = once(lines, "close", { signal }).then(() => undefined);
    const line = once(lines, "line", { signal }).then(([text]: string[]) => text ?? "");
    const answer = await Promise.race([line, closed]);
    // Nobody has pressed Enter: what comes next begins a line of its own.
    if (answer === undefined) terminal.stderr.write("\n");
    return answer ?? "";
  } catch {
    return "";
  } finally {
    lines.close();
    terminal.stdin.pause();
  }
}

/** How long input that is already there is read and thrown away, in milliseconds. */
const typeaheadMs = 50;

function ignore(): void {}

async function discardTypeahead(terminal: Terminal): Promise<void> {
  terminal.stdin.on("data", ignore).resume();
  await new Promise<void>((resolve) => setTimeout(resolve, typeaheadMs));
  terminal.stdin.off("data", ignore).pause();
}
