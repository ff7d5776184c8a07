import { approvalPresets } from "@fencepost/core";
import { sandboxModes } from "@fencepost/sandbox";

/** Every value of `--approve`: three for people, and the library's presets by name. */
export const approveValues = ["ask", "allow", "deny", ...approvalPresets] as const;

export const backendNames = ["seatbelt", "bubblewrap"] as const;

interface OptionSpec {
  readonly type: "string" | "boolean";
  /** Shown in help in place of the value. */
  readonly value?: string;
  /** The only values it takes. */
  readonly choices?: readonly string[];
  readonly help: string;
}

/** Every option of every command: one name means one thing everywhere. */
export const optionSpecs = {
  workspace: { type: "string", value: "DIR", help: "the directory that calls may change (default: .)" },
  mode: { type: "string", value: "MODE", choices: sandboxModes, help: "auto (default): commands may write the workspace; accept-edits: file tools only" },
  approve: {
    type: "string",
    value: "WHO",
    choices: approveValues,
    help: `ask, allow, deny, or a preset: ${approvalPresets.join(", ")} (default: ask on a terminal, else deny)`,
  },
  tools: { type: "string", value: "NAMES", help: "more tools than the default set: names with commas between, or all" },
  json: { type: "boolean", help: "print JSON for programs" },
  jsonl: { type: "boolean", help: "speak the line protocol on standard input and output" },
  progress: { type: "boolean", help: "also send progress lines" },
  backend: { type: "string", value: "NAME", choices: backendNames, help: "seatbelt or bubblewrap (default: this platform's)" },
  model: { type: "string", value: "PROVIDER/MODEL", help: "local/…, openai/…, anthropic/… or script/FILE (default: $FENCEPOST_MODEL, else an offline script)" },
  resume: { type: "string", value: "ID", help: "go on with a stored session; `last` is the newest of the workspace" },
  session: { type: "string", value: "ID", help: "the stored session (default: the newest of the workspace)" },
  http: { type: "boolean", help: "serve HTTP on 127.0.0.1 instead of standard input and output" },
  port: { type: "string", value: "PORT", help: "the port for --http (default: any free one)" },
  "text-only": { type: "boolean", help: "leave the structured form of results out" },
  help: { type: "boolean", help: "show this help" },
  version: { type: "boolean", help: "print the version" },
} as const satisfies Record<string, OptionSpec>;

export type OptionName = keyof typeof optionSpecs;

export const optionNames = ["workspace", "mode", "approve", "tools", "json", "jsonl", "progress", "backend", "model", "resume", "session", "http", "port", "text-only", "help", "version"] as const satisfies readonly OptionName[];

export const commonOptions = ["workspace", "mode", "approve", "json"] as const satisfies readonly OptionName[];

export function optionSpec(name: OptionName): OptionSpec {
  return optionSpecs[name];
}
