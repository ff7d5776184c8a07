import { Type } from "typebox";
import { succeeded } from "@fencepost/contract";
import { defineTool } from "../toolset/define-tool.ts";
import { TerminalData } from "./result-data.ts";

const Input = Type.Object({}, { additionalProperties: false });

export const commandTerminalCapabilitiesTool = defineTool({
  id: "command_terminal_capabilities",
  description: "Whether background commands can get a terminal here.",
  risk: "read_only",
  capabilities: ["session.read"],
  family: "commands",
  inputSchema: Input,
  resultSchema: TerminalData,
  examples: [{}],
  async execute(session) {
    const found = (await session.processes.terminals?.()) ?? { available: false as const, reason: "no terminal backend is installed" };
    const text = found.available
      ? "Terminals are available: start_command takes tty, cols and rows; command_input and resize_command_pty work on them."
      : `Terminals are not available: ${found.reason}. Everything else works; start commands without tty.`;
    return succeeded(text, { data: { pty: found.available, resize: found.available, input: true, reason: found.available ? null : found.reason }, display: { kind: "text", title: text } });
  },
});
