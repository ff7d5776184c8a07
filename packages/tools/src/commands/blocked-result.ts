import { failed, type ToolResult } from "@fencepost/contract";
import type { SessionContext } from "../context/session-context.ts";
import { findBlockedCommand } from "./find-blocked-command.ts";

/** The refusal of a command that the block list or a host rule names, or undefined. */
export function blockedResult(session: Pick<SessionContext, "options">, command: string): ToolResult | undefined {
  const blocked = findBlockedCommand(command, session.options.commands);
  return blocked && failed("permission_denied", blocked.message, { details: { kind: "blocked_command", key: blocked.key, span: blocked.span } });
}
