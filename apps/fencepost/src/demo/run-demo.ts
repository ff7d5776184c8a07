import { setTimeout as pause } from "node:timers/promises";
import type { ToolResult } from "@fencepost/contract";
import { openSession, type Approver, type Session } from "@fencepost/core";
import type { Terminal } from "../cli/terminal.ts";
import { renderCard, renderQuestion } from "../view/card.ts";
import type { Scratch } from "./scratch.ts";
import { callLine, resultLines } from "../view/result.ts";
import { steps, type Step } from "./steps.ts";

type CallStep = Extract<Step, { kind: "call" }>;

export interface DemoOutcome {
  readonly sandboxed: boolean;
  /** Steps that did not go as they must. Empty: the fence held and the work got done. */
  readonly surprises: readonly string[];
}

/** Runs the demo's calls through a real session and shows each as it happens. */
export async function runDemo(scratch: Scratch, terminal: Terminal, tempoMs: number): Promise<DemoOutcome> {
  const { out, stdout, interruption } = terminal;
  const line = (text = ""): void => void stdout.write(`${text}\n`);
  const session = await openSession({ workspace: scratch.workspace, approver: demoApprover(terminal, tempoMs) });
  const surprises: string[] = [];
  const stop = (): void => void session.close();
  interruption.addEventListener("abort", stop);
  try {
    introduce(session, terminal);
    let undoable: string | undefined;
    let number = 0;
    for (const step of steps(session.sandbox.available)) {
      if (interruption.aborted) break;
      await pause(tempoMs);
      if (step.kind === "say") line(`\n${out.style.bold(step.text)}`);
      else if (step.kind === "undo") surprises.push(...(await undo(session, undoable, line, terminal)));
      else {
        const callId = `demo-${(number += 1)}`;
        if (step.undoLater) undoable = callId;
        line(callLine(step.toolId, step.input, step.why, out));
        const result = await session.call({ callId, toolId: step.toolId, input: step.input });
        for (const shown of resultLines(result, out)) line(shown);
        if (!interruption.aborted && !asExpected(step, result)) surprises.push(`${step.toolId} (${step.why}): expected ${step.expects}, got ${result.status}`);
      }
    }
    return { sandboxed: session.sandbox.available, surprises };
  } finally {
    interruption.removeEventListener("abort", stop);
    await session.close();
  }
}

function introduce(session: Session, { out, stdout }: Terminal): void {
  const { style } = out;
  stdout.write(`${style.bold("Fencepost demo")}: a session without a model, the calls one would send, and a real fence.\n`);
  stdout.write(style.dim(`workspace ${session.workspace}, mode ${session.mode}, sandbox ${session.sandbox.backend}\n`));
  if (session.sandbox.available) return;
  stdout.write(`\n${style.yellow(`The sandbox is unavailable: ${session.sandbox.reason}.`)}\n${session.sandbox.remedy}\nCommands are refused until then; the file tools work, and the demo shows these.\n`);
}

/** Answers each card with yes, where everyone can see it. */
function demoApprover({ out, stdout }: Terminal, tempoMs: number): Approver {
  return {
    async decide(request) {
      stdout.write(`${renderCard(request, out).join("\n")}\n${renderQuestion(out)}`);
      await pause(3 * tempoMs);
      stdout.write(`${out.style.bold("y")}  ${out.style.dim("(answered by the demo)")}\n`);
      return "allow";
    },
  };
}

async function undo(session: Session, callId: string | undefined, line: (text: string) => void, { out }: Terminal): Promise<readonly string[]> {
  const outcome = await session.undo(callId === undefined ? [] : [callId]);
  line(`${out.style.cyan("●")} ${out.style.bold("undo")} ${callId ?? ""}`);
  if (outcome.error === undefined && outcome.changed.length > 0) {
    line(`  Restored ${outcome.changed.map((path) => path.slice(session.workspace.length + 1)).join(", ")}`);
    return [];
  }
  return [`undo: ${outcome.error?.message ?? `conflicts in ${outcome.conflicts.join(", ")}`}`];
}

function asExpected({ expects }: CallStep, result: ToolResult): boolean {
  const refused = result.status === "denied" || result.sandboxDenied;
  if (expects === "refusal") return refused;
  if (refused || result.status !== "succeeded") return false;
  const failing = result.content.some((part) => part.type === "text" && /\[exit [1-9]/.test(part.text));
  return failing === (expects === "failing-tests");
}
