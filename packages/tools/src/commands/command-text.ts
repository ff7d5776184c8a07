import { failed, invalidInputPrefix, type ToolResult } from "@fencepost/contract";

/** Line breaks as bash wants them: a model that writes `\r\n` means a new line, and bash would take the `\r` as text. */
export function normaliseCommand(command: string): string {
  return command.replaceAll("\r\n", "\n");
}

/** Why this text cannot be a command, or undefined. */
export function commandFault(command: string, field = "command"): ToolResult | undefined {
  if (command.includes("\0")) return invalid(`\`${field}\` contains a NUL character; expected text. Use printf '\\0' to produce one.`);
  if (command.trim() === "") return invalid(`\`${field}\` was empty; expected a shell command`);
  return undefined;
}

function invalid(fault: string): ToolResult {
  return failed("invalid_arguments", invalidInputPrefix + fault);
}
