import { failed, isToolResult, noOutputText, succeeded, toolStatuses, type ToolResult } from "@fencepost/contract";
import { nothingChanged } from "./only-reads.ts";

/**
 * What a tool returned as a result. Ours are valid as they are; a third party's may be anything: text is a success,
 * other data is a success as JSON text. Something that claims to be a result and is not one tells nothing about what
 * happened, so its claim is not believed.
 */
export function normaliseResult(value: unknown, { toolId, onlyReads }: { readonly toolId: string; readonly onlyReads: boolean }): ToolResult {
  if (typeof value === "string") return succeeded(value === "" ? noOutputText : value);
  if (isToolResult(value)) return withText(value);
  if (claimsToBeResult(value)) {
    const unknown = onlyReads ? `so what it found is not known. ${nothingChanged}` : "so what it did is not known. Look at what changed before you retry.";
    return failed("outcome_unknown", `${toolId} returned a malformed result, ${unknown} It returned: ${jsonText(value)}`);
  }
  return succeeded(value === undefined || value === null ? noOutputText : jsonText(value));
}

/** A result without any text still says something. */
function withText(result: ToolResult): ToolResult {
  if (result.content.some((part) => part.type === "image" || part.text !== "")) return result;
  return { ...result, content: [{ type: "text", text: result.error?.message || noOutputText }] };
}

function claimsToBeResult(value: unknown): boolean {
  return isRecord(value) && toolStatuses.some((status) => status === value["status"]);
}

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return "[a value that is not JSON]";
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

