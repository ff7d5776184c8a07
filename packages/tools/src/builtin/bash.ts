import { Type } from "typebox";
import { failed } from "@fencepost/contract";
import { commandFault, normaliseCommand } from "../commands/command-text.ts";
import { defaultTimeoutMs, maxConfigurableTimeoutMs } from "../commands/command-limit.ts";
import { blockedResult } from "../commands/blocked-result.ts";
import { commandResult } from "../commands/present-run.ts";
import { runCommand } from "../commands/run-command.ts";
import { workingDirectoryOf } from "../commands/working-directory.ts";
import { defineTool } from "../toolset/define-tool.ts";
import { CommandData } from "./result-data.ts";

/** The longest note for people, in characters. */
const maxDescriptionCharacters = 200;

export const commandProperty = Type.String({ minLength: 1, description: "Run by /bin/bash -c in a fresh shell" });

export const workdirProperty = Type.Optional(Type.String({ minLength: 1, description: "Directory to start in, default the workspace" }));

const Input = Type.Object(
  {
    command: commandProperty,
    timeoutMs: Type.Optional(
      Type.Integer({ description: `Milliseconds until it is killed, default ${defaultTimeoutMs}; values outside 1 to 120000 (${maxConfigurableTimeoutMs} where the host allows it) are clamped` }),
    ),
    workdir: workdirProperty,
    description: Type.Optional(Type.String({ maxLength: maxDescriptionCharacters, description: "What it does, in a few words, for the user" })),
  },
  { additionalProperties: false },
);

const description = [
  "Run a shell command and return its output and exit code.",
  "Standard output and standard error come as one stream in their real order; standard input is empty.",
  "Each call is a fresh shell: cd, variables and background processes do not outlive it.",
  "Output over 16 KiB shows its start and end; all of it is saved in a file that read and grep can open.",
  "Prefer read, grep, glob and list for looking at files.",
].join(" ");

export const bashTool = defineTool({
  id: "bash",
  description,
  risk: "process_execution",
  capabilities: ["process.execute", "filesystem.read", "filesystem.write"],
  family: "commands",
  escalates: true,
  inputSchema: Input,
  resultSchema: CommandData,
  examples: [{ command: "npm test" }, { command: "git log --oneline | head", timeoutMs: 10_000, workdir: "packages/app", description: "Recent commits" }],
  inspect: ({ command }) => ({ kind: "runs", commands: [normaliseCommand(command)] }),
  async execute(session, call, input) {
    const command = normaliseCommand(input.command);
    const refusal = commandFault(command) ?? blockedResult(session, command);
    if (refusal) return refusal;
    const directory = await workingDirectoryOf(session, call, input.workdir);
    if ("refused" in directory) return directory.refused;
    const run = await runCommand(session, call, {
      command,
      workingDirectory: directory.path,
      timeoutMs: input.timeoutMs ?? defaultTimeoutMs,
      runId: call.callId,
    });
    if (run.kind === "not_run") return failed(run.code, run.message);
    return commandResult(session, call, run, input.description ?? command);
  },
});
