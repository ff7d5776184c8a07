import type { SessionTool } from "../toolset/finalized-toolset.ts";
import { cancelCommandTool } from "./cancel-command.ts";
import { commandInputTool } from "./command-input.ts";
import { commandOutputTool } from "./command-output.ts";
import { commandStatusTool } from "./command-status.ts";
import { commandTerminalCapabilitiesTool } from "./command-terminal-capabilities.ts";
import { listCommandsTool } from "./list-commands.ts";
import { resizeCommandPtyTool } from "./resize-command-pty.ts";
import { runCommandBatchTool } from "./run-command-batch.ts";
import { startCommandTool } from "./start-command.ts";

/** Opt-in: commands in the background, and several in one call. */
export const commandTools: readonly SessionTool[] = [
  startCommandTool,
  listCommandsTool,
  commandStatusTool,
  commandOutputTool,
  commandInputTool,
  resizeCommandPtyTool,
  cancelCommandTool,
  commandTerminalCapabilitiesTool,
  runCommandBatchTool,
];
