import type { Access } from "./access.ts";
import type { SandboxMode } from "./mode.ts";

/** Whether a refused call can be retried with permissions, and if not, why. */
export type EscalationWay = "possible" | "non_interactive" | "child_session" | "unavailable";

/** Ends the result of a command that the kernel refused something. */
export function bashDenialText(mode: SandboxMode, escalation: EscalationWay): string {
  return `[sandbox: file access denied under ${mode} mode]\n${bashNextStep(escalation)}`;
}

/** A file tool refused by mode. `path`: as shown to the model. */
export function fileDenialText(access: Access, path: string, mode: SandboxMode, escalation: EscalationWay): string {
  return `[sandbox: ${access} access to ${path} denied under ${mode} mode]\n${fileNextStep(access, path, escalation)}`;
}

export function hardProtectedText(path: string): string {
  return `[sandbox: ${path} is protected and cannot be written in any mode; do not retry]`;
}

/** What bash answers where no sandbox works. `reason`: one clause. */
export function sandboxUnavailableText(reason: string): string {
  return `[sandbox: unavailable, so bash cannot run commands in this session (${reason}). File tools still work; ask the user to run the command in their own terminal if it is needed.]`;
}

function bashNextStep(escalation: EscalationWay): string {
  if (escalation === "possible") {
    return "[sandbox: to proceed, retry this exact command once with sandboxPermissions listing only the paths it needs, and a one-sentence justification; the user will be asked. If the paths cannot be listed, ask the user to run the command instead]";
  }
  return `[sandbox: ${impossible[escalation]}; do not retry. Use paths the session may write, or ${leaveIt[escalation]} the command]`;
}

function fileNextStep(access: Access, path: string, escalation: EscalationWay): string {
  if (escalation === "possible") {
    return `[sandbox: to proceed, retry this call once with sandboxPermissions listing ${path} (${access}, exact), and a one-sentence justification; the user will be asked]`;
  }
  const other = access === "write" ? "Write to a path the session may write" : "Go on without this file";
  return `[sandbox: ${impossible[escalation]}; do not retry. ${other}, or ${leaveIt[escalation]} the ${access === "write" ? "change" : "file's content"}]`;
}

const impossible: Readonly<Record<Exclude<EscalationWay, "possible">, string>> = {
  non_interactive: "nobody can be asked for permission in this session",
  child_session: "a child session cannot ask for permission",
  unavailable: "permission cannot be asked for while the sandbox is unavailable",
};

const leaveIt: Readonly<Record<Exclude<EscalationWay, "possible">, string>> = {
  non_interactive: "say in the final answer that the user has to supply",
  child_session: "report to the parent session that it has to supply",
  unavailable: "ask the user to supply",
};
