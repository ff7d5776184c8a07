import type { ToolDefinition, ToolResult } from "@fencepost/contract";
import type { OpenAI } from "openai";
import { createCallIds } from "../shared/call-ids.ts";
import { dispatchCall, type DispatchOptions } from "../shared/dispatch-call.ts";
import { plainResult } from "../shared/plain-result.ts";
import { foreignStatus, foreignStatuses, type StatusOptions } from "../shared/status.ts";
import type { ToolHost } from "../shared/tool-host.ts";
import { strictSchema, withoutStrictNulls } from "./strict-schema.ts";

export interface OpenAiOptions extends StatusOptions {
  /** Whether tools are offered in strict mode, where their schemas can be said in it. Default true. */
  readonly strict?: boolean;
}

type ResponsesCall = OpenAI.Responses.ResponseFunctionToolCall;
type ChatCall = OpenAI.Chat.ChatCompletionMessageFunctionToolCall;

export interface OpenAiTools {
  /** For `tools` of `client.responses.create`. */
  readonly responses: OpenAI.Responses.FunctionTool[];
  /** For `tools` of `client.chat.completions.create`. */
  readonly chat: OpenAI.Chat.ChatCompletionFunctionTool[];
  /** Runs one call of either API and gives what goes back to it. A failed tool is an answer, not an exception. */
  dispatch(call: ResponsesCall, options?: DispatchOptions): Promise<OpenAI.Responses.ResponseInputItem.FunctionCallOutput>;
  dispatch(call: ChatCall, options?: DispatchOptions): Promise<OpenAI.Chat.ChatCompletionToolMessageParam>;
}

/**
 * A session's tools for OpenAI's APIs.
 *
 * @example
 * const tools = openAiTools(session);
 * const response = await client.responses.create({ model, input, tools: tools.responses });
 * for (const item of response.output) if (item.type === "function_call") input.push(item, await tools.dispatch(item));
 */
export function openAiTools(host: ToolHost, options: OpenAiOptions = {}): OpenAiTools {
  const functions = host.definitions.map((definition) => functionOf(definition, options.strict ?? true));
  const schemas = new Map(functions.flatMap(({ name, strict, original }) => (strict ? [[name, original] as const] : [])));
  const ids = createCallIds();

  const run = (id: string, name: string, argumentsText: string, dispatch: DispatchOptions | undefined): Promise<ToolResult> => {
    const schema = schemas.get(name);
    return dispatchCall(host, { callId: ids.take(id), toolId: name, input: schema ? withoutNulls(argumentsText, schema) : argumentsText }, dispatch);
  };

  async function dispatch(call: ResponsesCall, dispatchOptions?: DispatchOptions): Promise<OpenAI.Responses.ResponseInputItem.FunctionCallOutput>;
  async function dispatch(call: ChatCall, dispatchOptions?: DispatchOptions): Promise<OpenAI.Chat.ChatCompletionToolMessageParam>;
  async function dispatch(call: ResponsesCall | ChatCall, dispatchOptions?: DispatchOptions): Promise<OpenAI.Responses.ResponseInputItem.FunctionCallOutput | OpenAI.Chat.ChatCompletionToolMessageParam> {
    if (call.type === "function_call") {
      const result = await run(call.call_id, call.name, call.arguments, dispatchOptions);
      return { type: "function_call_output", call_id: call.call_id, output: responsesOutput(result), status: foreignStatus(result, foreignStatuses.openai, options) };
    }
    const result = await run(call.id, call.function.name, call.function.arguments, dispatchOptions);
    return { role: "tool", tool_call_id: call.id, content: chatOutput(result) };
  }

  return {
    responses: functions.map(({ name, description, parameters, strict }) => ({ type: "function", name, description, parameters, strict })),
    chat: functions.map(({ name, description, parameters, strict }) => ({ type: "function", function: { name, description, parameters, strict } })),
    dispatch,
  };
}

interface FunctionOf {
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
  readonly strict: boolean;
  readonly original: ToolDefinition["inputSchema"];
}

function functionOf({ id, description, inputSchema }: ToolDefinition, wanted: boolean): FunctionOf {
  const strict = wanted ? strictSchema(inputSchema) : undefined;
  return { name: id, description, parameters: { ...(strict ?? inputSchema) }, strict: strict !== undefined, original: inputSchema };
}

/** Arguments that are no JSON go on as they are: the session says what is wrong with them. */
function withoutNulls(argumentsText: string, schema: ToolDefinition["inputSchema"]): unknown {
  try {
    return withoutStrictNulls(JSON.parse(argumentsText), schema);
  } catch {
    return argumentsText;
  }
}

function responsesOutput(result: ToolResult): OpenAI.Responses.ResponseInputItem.FunctionCallOutput["output"] {
  const { text, images } = plainResult(result);
  if (images.length === 0) return text;
  return [
    { type: "input_text", text },
    ...images.map(({ mediaType, data }) => ({ type: "input_image" as const, image_url: `data:${mediaType};base64,${data}` })),
  ];
}

/** The Chat API takes no images in the answer of a tool. */
function chatOutput(result: ToolResult): string {
  const { text, images } = plainResult(result);
  return [text, ...images.map(({ mediaType }) => `[image ${mediaType}]`)].join("\n");
}
