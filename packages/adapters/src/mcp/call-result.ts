import type { ToolResult } from "@fencepost/contract";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { plainResult } from "../shared/plain-result.ts";
import type { StatusOptions } from "../shared/status.ts";

export interface ResultOptions extends StatusOptions {
  readonly structured: boolean;
}

/**
 * A result as MCP knows it: a failed tool is `isError`, never a protocol error; images stay images; artifacts stay here.
 * The structured form holds the text too: some clients show a model only that.
 */
export function callToolResult(result: ToolResult, options: ResultOptions): CallToolResult {
  const { status, text, failed, sandboxDenied, data, error } = plainResult(result, options);
  return {
    content: result.content.map((part) => (part.type === "text" ? { type: "text", text: part.text } : { type: "image", data: part.data, mimeType: part.mediaType })),
    ...(options.structured && { structuredContent: json({ status, text, sandboxDenied, data, error }) }),
    ...(failed && { isError: true }),
  };
}

/** As it goes over the wire; what is not JSON was never promised. */
function json(value: object): Record<string, unknown> {
  const plain: Record<string, unknown> = JSON.parse(JSON.stringify(value));
  return plain;
}
