import { resultText, type Display, type ImagePart, type ToolError, type ToolResult, type ToolStatus } from "@fencepost/contract";
import { failsIn, type StatusOptions } from "./status.ts";

/** A result as another system may keep and show it. Artifacts are not in it: they are for the host that made the session. */
export interface PlainResult {
  readonly status: ToolStatus;
  readonly text: string;
  /** Whether another system should treat the call as failed. */
  readonly failed: boolean;
  readonly sandboxDenied: boolean;
  readonly images: readonly ImagePart[];
  readonly data?: unknown;
  readonly error?: ToolError;
  readonly display?: Display;
}

export function plainResult(result: ToolResult, options: StatusOptions = {}): PlainResult {
  const { status, content, sandboxDenied, data, error, display } = result;
  return {
    status,
    text: resultText({ content: content.filter((part) => part.type === "text") }),
    failed: failsIn(result, options),
    sandboxDenied,
    images: content.filter((part) => part.type === "image"),
    ...(data !== undefined && { data }),
    ...(error && { error }),
    ...(display && { display }),
  };
}
