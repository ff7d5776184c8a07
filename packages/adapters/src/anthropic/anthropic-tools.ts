import type { ToolResult } from "@fencepost/contract";
import type { Anthropic } from "@anthropic-ai/sdk";
import { createCallIds } from "../shared/call-ids.ts";
import { dispatchCall, type DispatchOptions } from "../shared/dispatch-call.ts";
import { plainResult } from "../shared/plain-result.ts";
import type { StatusOptions } from "../shared/status.ts";
import type { ToolHost } from "../shared/tool-host.ts";
import { nativeBash } from "./native-bash.ts";
import type { NativeShape, RunTool } from "./native-shape.ts";
import { textEditor } from "./text-editor.ts";

/** Tools whose shape Anthropic's models were trained on. They run ours: same fence, same sandbox, same limits. */
export type NativeTool = "bash" | "text_editor";

export interface AnthropicOptions extends StatusOptions {
  /**
   * Native shapes to offer in place of ours. `bash` replaces bash (no permissions can be asked for through it);
   * `text_editor` replaces read, write and edit. Default none.
   */
  readonly native?: readonly NativeTool[];
}

export interface AnthropicTools {
  /** For `tools` of `client.messages.create`. */
  readonly tools: Anthropic.Messages.ToolUnion[];
  /** Runs one `tool_use` block and gives its `tool_result`. A failed tool is an answer, not an exception. */
  dispatch(block: Pick<Anthropic.Messages.ToolUseBlock, "id" | "name" | "input">, options?: DispatchOptions): Promise<Anthropic.Messages.ToolResultBlockParam>;
}

const natives: Readonly<Record<NativeTool, NativeShape>> = { bash: nativeBash, text_editor: textEditor };

/**
 * A session's tools for Anthropic's Messages API.
 *
 * @example
 * const tools = anthropicTools(session);
 * const message = await client.messages.create({ model, max_tokens, messages, tools: tools.tools });
 * const uses = message.content.filter((block) => block.type === "tool_use");
 * const results = await Promise.all(uses.map((block) => tools.dispatch(block)));
 */
export function anthropicTools(host: ToolHost, options: AnthropicOptions = {}): AnthropicTools {
  const chosen = (options.native ?? []).map((name) => natives[name]);
  const replaced = new Set(chosen.flatMap(({ replaces }) => replaces));
  const ours = host.definitions.filter(({ id }) => !replaced.has(id));
  const nativeByName = new Map(chosen.map((native) => [native.name, native]));
  const ids = createCallIds();

  return {
    tools: [
      ...ours.map(({ id, description, inputSchema }): Anthropic.Messages.Tool => ({ name: id, description, input_schema: { ...inputSchema, type: "object" } })),
      ...chosen.map(({ definition }) => definition),
    ],
    async dispatch({ id, name, input }, dispatch = {}) {
      const run: RunTool = (toolId, toolInput) => dispatchCall(host, { callId: ids.take(id), toolId, input: toolInput }, dispatch);
      const native = nativeByName.get(name);
      const result = native ? await native.run(input, run) : await dispatchCall(host, { callId: ids.take(id), toolId: name, input }, dispatch);
      return toolResult(id, result, options);
    },
  };
}

function toolResult(id: string, result: ToolResult, options: StatusOptions): Anthropic.Messages.ToolResultBlockParam {
  const { text, images, failed } = plainResult(result, options);
  return {
    type: "tool_result",
    tool_use_id: id,
    content: [
      { type: "text", text },
      ...images.map(({ mediaType, data }): Anthropic.Messages.ImageBlockParam => ({ type: "image", source: { type: "base64", media_type: mediaType, data } })),
    ],
    ...(failed && { is_error: true }),
  };
}
