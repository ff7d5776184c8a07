import { createToolRegistry, type ToolRegistry } from "../toolset/tool-registry.ts";
import { bashTool } from "./bash.ts";

/** The built-in tools. A new one is a file here and a line below. */
export function builtinRegistry(): ToolRegistry {
  return createToolRegistry([bashTool]);
}
