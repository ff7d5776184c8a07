import { randomUUID } from "node:crypto";
import type { Approver } from "@fencepost/core";
import { inputRequired, ProtocolError, ProtocolErrorCode, type CallToolRequestParams, type CallToolResult, type InputRequiredResult, type RequestStateCodec, type ServerContext } from "@modelcontextprotocol/server";
import { answeredApprover, type Answer } from "../shared/answered-approver.ts";
import { cardDigest } from "../shared/card-digest.ts";
import { cardText } from "../shared/card-text.ts";
import type { AskingHost } from "../shared/tool-host.ts";
import { callToolResult, type ResultOptions } from "./call-result.ts";
import { progressSink } from "./progress.ts";
import { answerIn, canAsk, question, questionKey } from "./question.ts";
import type { SpentAnswers } from "./spent-answers.ts";

/** What a question carries through the client and back, sealed: what was asked, and a number used once. */
export interface QuestionState {
  readonly digest: string;
  readonly nonce: string;
}

export interface CallDesk {
  readonly host: AskingHost;
  readonly asksClient: boolean;
  readonly codec: RequestStateCodec<QuestionState>;
  readonly spent: SpentAnswers;
  readonly results: ResultOptions;
}

/**
 * `tools/call`. A call that needs a person's word returns the question and does nothing; the client asks and sends the
 * call again with the answer (in the older generation the SDK asks, and calls again itself). The answer counts for the
 * very call and card it was given to, once.
 */
export async function callTool(desk: CallDesk, params: CallToolRequestParams, context: ServerContext, declared: object | undefined): Promise<CallToolResult | InputRequiredResult> {
  const { host } = desk;
  const { name, arguments: input = {} } = params;
  if (!host.definitions.some(({ id }) => id === name)) {
    const known = host.definitions.map(({ id }) => id).join(", ");
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${JSON.stringify(name.slice(0, maxShownNameCharacters))}. The tools are ${known}.`);
  }
  const call = { callId: randomUUID(), toolId: name, input };
  if (!desk.asksClient || !canAsk(context, declared)) return run(desk, call, context, undefined);

  const preview = await host.preview({ ...call, approver: answeredApprover(input, undefined) });
  if (preview.kind !== "asks") return run(desk, call, context, answeredApprover(input, undefined));
  const text = cardText(preview.card);
  if (text === undefined) return run(desk, call, context, tooLongToAsk);
  const digest = cardDigest(input, preview.card);
  const answer = takeAnswer(desk, context, digest);
  if (answer) return run(desk, call, context, answeredApprover(input, answer));
  return inputRequired({ inputRequests: { [questionKey]: question(text) }, requestState: await desk.codec.mint({ digest, nonce: randomUUID() }, context) });
}

const maxShownNameCharacters = 60;

/** The answer that came with this request, where it answers the question that would be asked now. Otherwise it is asked again. */
function takeAnswer(desk: CallDesk, context: ServerContext, digest: string): Answer | undefined {
  const decision = answerIn(context.mcpReq.inputResponses);
  const state = context.mcpReq.requestState<QuestionState | string>();
  if (decision === undefined || typeof state !== "object" || state.digest !== digest) return undefined;
  return desk.spent.spend(state.nonce) ? { digest, decision } : undefined;
}

async function run(desk: CallDesk, call: { readonly callId: string; readonly toolId: string; readonly input: unknown }, context: ServerContext, approver: Approver | undefined): Promise<CallToolResult> {
  const { signal } = context.mcpReq;
  const cancel = (): void => void desk.host.cancel(call.callId);
  const onProgress = progressSink(context);
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const running = desk.host.call({ ...call, ...(onProgress && { onProgress }), ...(approver && { approver }) });
    if (signal.aborted) cancel();
    return callToolResult(await running, desk.results);
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

const tooLongToAsk: Approver = {
  decide: () => Promise.reject(new Error("the call is too long for a person to read; put the script into a file and run that")),
};
