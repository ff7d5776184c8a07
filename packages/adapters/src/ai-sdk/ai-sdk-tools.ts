import type { ToolDefinition } from "@fencepost/contract";
import type { PermissionRequest } from "@fencepost/core";
import { jsonSchema, tool, type JSONSchema7, type ModelMessage, type Tool } from "ai";
import { answeredApprover } from "../shared/answered-approver.ts";
import { createCallIds } from "../shared/call-ids.ts";
import { cardDigest } from "../shared/card-digest.ts";
import { dispatchCall, type DispatchOptions } from "../shared/dispatch-call.ts";
import { plainResult, type PlainResult } from "../shared/plain-result.ts";
import type { StatusOptions } from "../shared/status.ts";
import type { AskingHost } from "../shared/tool-host.ts";
import { isApproved } from "./approved-calls.ts";
import { modelOutput } from "./model-output.ts";
import { progressOutputs, type RunningOutput } from "./progress-outputs.ts";

export interface AiSdkOptions extends StatusOptions {
  /**
   * Who is asked. `sdk` (default): `needsApproval` of the tools, and so the SDK's own approval flow; open the session
   * with `approver: protocolApprover`. `session`: the session's approver, in the middle of the call.
   */
  readonly approvals?: "sdk" | "session";
  /** The card behind a call that will need approval, for the screen that asks. */
  readonly onQuestion?: (question: { readonly toolCallId: string; readonly card: PermissionRequest }) => void;
  /** The whole result of each call with its artifacts, which the SDK never gets. */
  readonly onResult?: DispatchOptions["onResult"];
}

/** What a call gives: while it runs what it says, at the end its result. */
export type AiSdkOutput = RunningOutput | PlainResult;

/** A session's tools for `generateText` and `streamText`. */
export type AiSdkTools = Record<string, Tool<unknown, AiSdkOutput>>;

/** How many unanswered questions are remembered; the oldest is forgotten, and asked again. */
const maxQuestions = 1_000;

/**
 * A session as a tool set of the AI SDK.
 *
 * @example
 * const session = await openSession({ workspace: ".", approver: protocolApprover });
 * const result = await generateText({ model, tools: aiSdkTools(session), messages, stopWhen: stepCountIs(20) });
 */
export function aiSdkTools(host: AskingHost, options: AiSdkOptions = {}): AiSdkTools {
  const { approvals = "sdk", onQuestion, onResult } = options;
  const ids = createCallIds();
  const asked = new Map<string, string>();

  /** Whether a call will ask, and what: a yes that comes later is a yes to this. */
  const needsApproval = async (toolId: string, input: unknown, toolCallId: string): Promise<boolean> => {
    const preview = await host.preview({ callId: toolCallId, toolId, input, approver: answeredApprover(input, undefined) });
    if (preview.kind !== "asks") return false;
    if (asked.has(toolCallId)) return true;
    asked.set(toolCallId, cardDigest(input, preview.card));
    const oldest = asked.keys().next();
    if (asked.size > maxQuestions && !oldest.done) asked.delete(oldest.value);
    onQuestion?.({ toolCallId, card: preview.card });
    return true;
  };

  const approverOf = (input: unknown, toolCallId: string, messages: readonly ModelMessage[]): DispatchOptions["approver"] => {
    const digest = asked.get(toolCallId);
    asked.delete(toolCallId);
    return answeredApprover(input, digest !== undefined && isApproved(messages, toolCallId) ? { digest, decision: "allow" } : undefined);
  };

  const toolOf = ({ id, description, inputSchema }: ToolDefinition): Tool<unknown, AiSdkOutput> =>
    tool<unknown, AiSdkOutput>({
      description,
      inputSchema: jsonSchema(asSchema7(inputSchema)),
      ...(approvals === "sdk" && { needsApproval: (input: unknown, { toolCallId }: { readonly toolCallId: string }) => needsApproval(id, input, toolCallId) }),
      async *execute(input, { toolCallId, messages, abortSignal }) {
        const approver = approvals === "sdk" ? approverOf(input, toolCallId, messages) : undefined;
        const result = yield* progressOutputs((onProgress) =>
          dispatchCall(host, { callId: ids.take(toolCallId), toolId: id, input }, { onProgress, ...(abortSignal && { signal: abortSignal }), ...(onResult && { onResult }), ...(approver && { approver }) }),
        );
        yield plainResult(result, options);
      },
      toModelOutput: ({ output }) => modelOutput(output),
    });

  return Object.fromEntries(host.definitions.map((definition) => [definition.id, toolOf(definition)]));
}

/** The schemas of tools are plain JSON Schema objects; draft 7 and 2020-12 agree on all they use. */
function asSchema7(schema: ToolDefinition["inputSchema"]): JSONSchema7 {
  const copy: JSONSchema7 = JSON.parse(JSON.stringify(schema));
  return copy;
}
