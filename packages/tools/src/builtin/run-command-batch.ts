import { Type } from "typebox";
import { failed, noOutputText, succeeded, toolError, type Display, type ToolResult } from "@fencepost/contract";
import { blockedResult } from "../commands/blocked-result.ts";
import { batchText, type BatchItem } from "../commands/present-batch.ts";
import { commandFault, normaliseCommand } from "../commands/command-text.ts";
import { defaultTimeoutMs } from "../commands/command-limit.ts";
import { presentRun } from "../commands/present-run.ts";
import { runCommand } from "../commands/run-command.ts";
import { workingDirectoryOf } from "../commands/working-directory.ts";
import { resultText } from "@fencepost/contract";
import type { CallContext } from "../context/call-context.ts";
import type { SessionContext } from "../context/session-context.ts";
import { defineTool } from "../toolset/define-tool.ts";
import { commandProperty, workdirProperty } from "./bash.ts";
import { BatchData } from "./result-data.ts";

/** The most commands of one batch. */
const maxBatchItems = 12;

const Item = Type.Object(
  {
    command: commandProperty,
    workdir: workdirProperty,
    timeoutMs: Type.Optional(Type.Integer({ description: `Milliseconds until it is killed, default ${defaultTimeoutMs}; values outside 1 to 120000 are clamped` })),
  },
  { additionalProperties: false },
);

const Input = Type.Object(
  {
    items: Type.Array(Item, { minItems: 1, maxItems: maxBatchItems, description: "Run one after another, in this order" }),
    stopOnError: Type.Optional(Type.Boolean({ description: "Skip the rest after an item that did not complete; default false" })),
  },
  { additionalProperties: false },
);

export const runCommandBatchTool = defineTool({
  id: "run_command_batch",
  description: "Run up to 12 shell commands one after another, each in a fresh shell, and return all their results. A non-zero exit is a failed item.",
  risk: "process_execution",
  capabilities: ["process.execute", "filesystem.read", "filesystem.write"],
  family: "commands",
  escalates: true,
  inputSchema: Input,
  resultSchema: BatchData,
  examples: [{ items: [{ command: "npm run lint" }, { command: "npm test", timeoutMs: 60_000 }], stopOnError: true }],
  inspect: ({ items }) => ({ kind: "runs", commands: items.map((item) => normaliseCommand(item.command)) }),
  async execute(session, call, { items, stopOnError = false }) {
    const done: BatchItem[] = [];
    let denied = false;
    for (const [index, item] of items.entries()) {
      const skip = call.signal.aborted || (stopOnError && done.some((earlier) => earlier.state !== "completed"));
      const outcome: ItemOutcome = skip ? { item: { command: item.command, state: "skipped", text: "[skipped]" }, denied: false } : await runItem(session, call, item, index);
      done.push(outcome.item);
      denied ||= outcome.denied;
      if (outcome.fatal) return outcome.fatal;
    }
    return finished(call, done, denied);
  },
});

interface ItemOutcome {
  readonly item: BatchItem;
  readonly denied: boolean;
  /** The whole batch ends: nothing can run here, or what became of the item is unknown. */
  readonly fatal?: ToolResult;
}

async function runItem(session: SessionContext, call: CallContext, item: { readonly command: string; readonly workdir?: string; readonly timeoutMs?: number }, index: number): Promise<ItemOutcome> {
  const command = normaliseCommand(item.command);
  const refusal = commandFault(command) ?? blockedResult(session, command);
  if (refusal) return rejected(command, refusal);
  const directory = await workingDirectoryOf(session, call, item.workdir);
  if ("refused" in directory) return rejected(command, directory.refused);
  const run = await runCommand(session, call, {
    command,
    workingDirectory: directory.path,
    timeoutMs: item.timeoutMs ?? defaultTimeoutMs,
    runId: `${call.callId}-${index + 1}`,
  });
  if (run.kind === "not_run") {
    const result = failed(run.code, run.message);
    return run.code === "sandbox_unavailable" && index === 0 ? { ...rejected(command, result), fatal: result } : rejected(command, result);
  }
  const { text, denied } = presentRun(session, call, run);
  const completed = run.kind === "ended" && run.end.kind === "exited" && run.end.exitCode === 0;
  const shown = { command, state: completed ? "completed" : "failed", text: text || noOutputText } as const;
  return { item: shown, denied, ...(run.kind === "unknown" && { fatal: unknownOutcome(text) }) };
}

function rejected(command: string, refusal: ToolResult): ItemOutcome {
  return { item: { command, state: "rejected", text: resultText(refusal) }, denied: refusal.sandboxDenied };
}

function unknownOutcome(text: string): ToolResult {
  return failed("outcome_unknown", text);
}

function finished(call: CallContext, items: readonly BatchItem[], denied: boolean): ToolResult {
  const extras = { data: { items: items.map(({ command, state }) => ({ command, state })) }, sandboxDenied: denied, display: display(items) };
  const text = batchText(items);
  if (!call.signal.aborted) return succeeded(text, extras);
  return { ...succeeded(text, extras), status: "cancelled", error: toolError("cancelled", "[cancelled]") };
}

function display(items: readonly BatchItem[]): Display {
  return { kind: "command", title: `${items.length} commands`, fields: items.map(({ command, state }) => ({ label: state, value: command })) };
}
