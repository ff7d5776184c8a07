import type { ToolResult } from "@fencepost/contract";
import type { Anthropic } from "@anthropic-ai/sdk";

/** Runs a tool of ours within one native call. */
export type RunTool = (toolId: string, input: object) => Promise<ToolResult>;

/** A tool that Anthropic defines, carried out by ours. */
export interface NativeShape {
  readonly name: string;
  readonly definition: Anthropic.Messages.ToolUnion;
  /** Ids of our tools that it stands in for. */
  readonly replaces: readonly string[];
  readonly run: (input: unknown, run: RunTool) => Promise<ToolResult>;
}
