import { failed, noOutputText, succeeded, toolErrorCodes, toolStatuses, type ToolResult } from "@fencepost/contract";

/**
 * What a tool returned as a result. Ours are valid as they are; a third party's may be anything: text is a success,
 * other data is a success as JSON text. Something that claims to be a result and is not one tells nothing about what
 * happened, so its claim is not believed.
 */
export function normaliseResult(value: unknown, toolId: string): ToolResult {
  if (typeof value === "string") return succeeded(value === "" ? noOutputText : value);
  if (isToolResult(value)) return withText(value);
  if (claimsToBeResult(value)) {
    return failed("outcome_unknown", `${toolId} returned a malformed result, so what it did is not known. Look at what changed before you retry. It returned: ${jsonText(value)}`);
  }
  return succeeded(value === undefined || value === null ? noOutputText : jsonText(value));
}

/** A result without any text still says something. */
function withText(result: ToolResult): ToolResult {
  if (result.content.some((part) => part.type === "image" || part.text !== "")) return result;
  return { ...result, content: [{ type: "text", text: result.error?.message || noOutputText }] };
}

export function isToolResult(value: unknown): value is ToolResult {
  if (!isRecord(value)) return false;
  const { status, content, artifacts, sandboxDenied, error, display } = value;
  return (
    includes(toolStatuses, status) &&
    Array.isArray(content) &&
    content.every(isContentPart) &&
    Array.isArray(artifacts) &&
    artifacts.every((artifact) => isRecord(artifact) && typeof artifact["kind"] === "string") &&
    typeof sandboxDenied === "boolean" &&
    (status === "succeeded" ? error === undefined : isToolError(error)) &&
    (display === undefined || isDisplay(display))
  );
}

function isContentPart(part: unknown): boolean {
  if (!isRecord(part)) return false;
  if (part["type"] === "text") return typeof part["text"] === "string";
  return part["type"] === "image" && typeof part["data"] === "string" && /^image\/(?:png|jpeg|gif|webp)$/.test(String(part["mediaType"]));
}

function isToolError(error: unknown): boolean {
  return isRecord(error) && includes(toolErrorCodes, error["code"]) && typeof error["message"] === "string" && typeof error["retryable"] === "boolean";
}

const displayKinds = ["text", "command", "search", "diff", "artifact", "json"] as const;

function isDisplay(display: unknown): boolean {
  if (!isRecord(display)) return false;
  const { kind, title, body, fields } = display;
  const fieldsFit = fields === undefined || (Array.isArray(fields) && fields.every((field) => isRecord(field) && typeof field["label"] === "string" && typeof field["value"] === "string"));
  return includes(displayKinds, kind) && typeof title === "string" && (body === undefined || typeof body === "string") && fieldsFit;
}

function claimsToBeResult(value: unknown): boolean {
  return isRecord(value) && includes(toolStatuses, value["status"]);
}

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return "[a value that is not JSON]";
  }
}

function includes(list: readonly unknown[], value: unknown): boolean {
  return list.includes(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

