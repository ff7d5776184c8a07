import { bubblewrapBackend, seatbeltProfile, type SandboxPolicy } from "@fencepost/sandbox";
import { exitCodes } from "../cli/exit-code.ts";
import { messageOf } from "../cli/message-of.ts";
import type { Arguments } from "../cli/parse-arguments.ts";
import type { Terminal } from "../cli/terminal.ts";
import { visibleLine, visibleText } from "../view/visible.ts";
import { sessionPolicy } from "./session-policy.ts";
import { workspaceDirectory } from "./workspace.ts";

/** Stands for the command that would run. */
const argv = ["/bin/bash", "-c", "<command>"] as const;

/** `fencepost profile`: what the kernel is told for a command of this workspace. Runs nothing but the self-check. */
export async function profile(given: Arguments, terminal: Terminal): Promise<number> {
  const policy = sessionPolicy(workspaceDirectory(given.workspace), given.mode ?? "auto");
  const backend = given.backend ?? (process.platform === "darwin" ? "seatbelt" : "bubblewrap");
  return backend === "seatbelt" ? printSeatbelt(policy, given, terminal) : printBubblewrap(policy, given, terminal);
}

/** A profile is text, and can be shown on any platform. */
function printSeatbelt(policy: SandboxPolicy, given: Arguments, { stdout }: Terminal): number {
  const { text, parameters } = seatbeltProfile(policy, "bash");
  const values = Object.entries(parameters).map(([name, value]) => `; ${name} = ${visibleLine(value)}`);
  stdout.write(given.json ? `${JSON.stringify({ backend: "seatbelt", profile: text, parameters })}\n` : `${visibleText(text)}\n${values.join("\n")}\n`);
  return exitCodes.succeeded;
}

async function printBubblewrap(policy: SandboxPolicy, given: Arguments, { stdout, stderr }: Terminal): Promise<number> {
  const backend = bubblewrapBackend();
  try {
    const launch = await backend.prepare({ policy, argv, workingDirectory: policy.workspaceRoot, env: {}, sessionId: "profile", callId: "profile" });
    if (launch.refused) {
      stderr.write(`fencepost: ${visibleLine(launch.message)}\n`);
      return exitCodes.sandboxUnavailable;
    }
    // Planned, never started: what it holds is let go of as if the start had failed.
    launch.onStarted(undefined);
    await launch.settle({ code: null, signal: null });
    stdout.write(given.json ? `${JSON.stringify({ backend: "bubblewrap", file: launch.file, args: launch.args })}\n` : `${[launch.file, ...optionLines(launch.args)].join("\n")}\n`);
    return exitCodes.succeeded;
  } catch (error) {
    stderr.write(`fencepost: ${visibleLine(messageOf(error))}\n`);
    return exitCodes.failed;
  } finally {
    await backend.close();
  }
}

/** One option with its values a line. */
function optionLines(args: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const arg of args) {
    const last = lines.at(-1);
    if (arg.startsWith("--") || last === undefined) lines.push(`  ${visibleLine(arg)}`);
    else lines[lines.length - 1] = `${last} ${visibleLine(/^[^\s'"\\]+$/.test(arg) ? arg : JSON.stringify(arg))}`;
  }
  return lines;
}
