import { succeeded, type Tool, type ToolResult } from "@fencepost/contract";

const result: ToolResult<{ readonly lines: number }> = succeeded("3 lines", { data: { lines: 3 } });
const lines: number | undefined = result.data?.lines;
export type Mine = Tool<{ path: string }>;
export { lines };
