import { createToolRegistry, type ToolRegistry } from "../toolset/tool-registry.ts";
import { applyPatchTool } from "./apply-patch.ts";
import { bashTool } from "./bash.ts";
import { commandTools } from "./command-tools.ts";
import { deleteFileTool } from "./delete-file.ts";
import { editTool } from "./edit.ts";
import { globTool } from "./glob.ts";
import { grepTool } from "./grep.ts";
import { listTool } from "./list.ts";
import { readTool } from "./read.ts";
import { renameFileTool } from "./rename-file.ts";
import { writeTool } from "./write.ts";

/** The built-in tools. A new one is a file here and a line below. */
export function builtinRegistry(): ToolRegistry {
  return createToolRegistry([readTool, writeTool, editTool, grepTool, globTool, listTool, bashTool, applyPatchTool, renameFileTool, deleteFileTool, ...commandTools]);
}
