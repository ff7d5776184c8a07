import type { SandboxAvailability, SandboxMode } from "@fencepost/sandbox";

export interface SessionState {
  readonly workspace: string;
  readonly mode: SandboxMode;
  readonly sandbox: SandboxAvailability;
  readonly network: "host" | "none";
}

const modeTexts: Readonly<Record<SandboxMode, string>> = {
  auto: "file tools and bash write the workspace and the temp directories",
  "accept-edits": "file tools write the workspace and the temp directories; bash reads the workspace, and writes the temp directories only",
};

/** What the model is told of its session: in the conversation and not in the system prompt, because it changes. */
export function stateText({ workspace, mode, sandbox, network }: SessionState): string {
  const bash = sandbox.available ? "available" : `unavailable (${sandbox.reason})`;
  const lines = [`workspace: ${workspace}`, `mode: ${mode} (${modeTexts[mode]})`, `bash: ${bash}`];
  return [...lines, ...(network === "none" ? ["network: none for bash"] : [])].join("\n");
}
