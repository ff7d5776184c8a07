import type { SandboxMode } from "@fencepost/sandbox";

/** Said after a command that the kernel refused access. */
export function deniedCommandLines(mode: SandboxMode, escalation: "possible" | "non_interactive"): readonly string[] {
  return [`[sandbox: file access denied under ${mode} mode]`, escalation === "possible" ? retryLine : noRetryLine];
}

const retryLine =
  "[sandbox: to proceed, retry this exact command once with sandboxPermissions listing only the paths it needs, and a one-sentence justification; the user will be asked. If the paths cannot be listed, ask the user to run the command instead]";

const noRetryLine =
  "[sandbox: nobody can be asked for more access in this session, so do not retry; write inside the workspace or a temporary directory instead, or name the command in your answer so that the user can run it]";

/** Said in place of running anything. */
export function unavailableText(reason: string): string {
  return `[sandbox: unavailable, so bash cannot run commands in this session (${reason}). File tools still work; ask the user to run the command in their own terminal if it is needed.]`;
}
