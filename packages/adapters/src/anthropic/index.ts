export type { DispatchOptions } from "../shared/dispatch-call.ts";
export { anthropicTools, type AnthropicOptions, type AnthropicTools, type NativeTool } from "./anthropic-tools.ts";
