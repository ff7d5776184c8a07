import type { Artifact } from "./artifact.ts";
import type { Display } from "./display.ts";
import { toolError, type ToolError, type ToolErrorCode } from "./error.ts";

export const toolStatuses = ["succeeded", "failed", "denied", "cancelled", "outcome_unknown"] as const;

export type ToolStatus = (typeof toolStatuses)[number];

export type ContentPart = TextPart | ImagePart;

export interface TextPart {
  readonly type: "text";
  readonly text: string;
}

/** Sent to vision models only. */
export interface ImagePart {
  readonly type: "image";
  readonly mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  /** Base64. */
  readonly data: string;
}

/** What every call ends in: exactly one of these, whatever happened. */
export interface ToolResult<Data = unknown> {
  readonly status: ToolStatus;
  /** What the model reads: at most `resultTextBytes` of text in all. */
  readonly content: readonly ContentPart[];
  /** For people and programs; never sent to a model. */
  readonly artifacts: readonly Artifact[];
  readonly error?: ToolError;
  /** True where the fence or the kernel refused access that an escalation could give, or the call left something the policy forbids. */
  readonly sandboxDenied: boolean;
  /** The typed value that the text is a receipt of. */
  readonly data?: Data;
  readonly display?: Display;
}

/** The most text a result carries, footers included, in bytes of UTF-8. */
export const resultTextBytes = 32_000;

/** Part of `resultTextBytes` kept free for footers, in bytes. */
export const footerReserveBytes = 512;

/** Said in place of a result without any text. */
export const noOutputText = "[no output]";

export type ResultExtras<Data = unknown> = Partial<Pick<ToolResult<Data>, "artifacts" | "sandboxDenied" | "data" | "display">>;

export function succeeded<Data>(text: string, extras: ResultExtras<Data> = {}): ToolResult<Data> {
  return { status: "succeeded", content: [{ type: "text", text }], artifacts: [], sandboxDenied: false, ...extras };
}

/** A failure whose text is its error message. */
export function failed(code: ToolErrorCode, message: string, extras: ResultExtras & Pick<ToolError, "details" | "recoveryHint"> = {}): ToolResult {
  const { details, recoveryHint, ...rest } = extras;
  const error = toolError(code, message, { ...(details && { details }), ...(recoveryHint && { recoveryHint }) });
  return { status: statusOf(code), content: [{ type: "text", text: message }], artifacts: [], sandboxDenied: false, error, ...rest };
}

/** The text of a result, its text parts joined as a model reads them. */
export function resultText(result: Pick<ToolResult, "content">): string {
  return result.content.map((part) => (part.type === "text" ? part.text : `[image ${part.mediaType}]`)).join("\n");
}

function statusOf(code: ToolErrorCode): ToolStatus {
  switch (code) {
    case "permission_denied":
    case "hook_denied":
      return "denied";
    case "cancelled":
    case "interrupted":
      return "cancelled";
    case "outcome_unknown":
      return "outcome_unknown";
    default:
      return "failed";
  }
}
