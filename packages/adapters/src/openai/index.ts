export type { DispatchOptions } from "../shared/dispatch-call.ts";
export { openAiTools, type OpenAiOptions, type OpenAiTools } from "./openai-tools.ts";
export { strictSchema, withoutStrictNulls } from "./strict-schema.ts";
