import { displayKinds } from "./display.ts";
import { toolErrorCodes } from "./error.ts";
import { toolStatuses, type ToolResult } from "./result.ts";

/**
 * Whether a value is a result: for hosts that get one from a process, a store or a stranger's tool. Fields that a result
 * does not have are let through, and so is whatever stands in `data` and in the payloads of artifacts.
 */
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

function isDisplay(display: unknown): boolean {
  if (!isRecord(display)) return false;
  const { kind, title, body, fields } = display;
  const fieldsFit = fields === undefined || (Array.isArray(fields) && fields.every((field) => isRecord(field) && typeof field["label"] === "string" && typeof field["value"] === "string"));
  return includes(displayKinds, kind) && typeof title === "string" && (body === undefined || typeof body === "string") && fieldsFit;
}

function includes(list: readonly unknown[], value: unknown): boolean {
  return list.includes(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
