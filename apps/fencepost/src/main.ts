import { commands } from "./cli/commands.ts";
import { exitCodes } from "./cli/exit-code.ts";
import { exitWhenWritten, watchInterruptions } from "./cli/lifecycle.ts";
import { messageOf } from "./cli/message-of.ts";
import { parseArguments } from "./cli/parse-arguments.ts";
import { viewOf, type Terminal } from "./cli/terminal.ts";
import { UsageError } from "./cli/usage-error.ts";
import { ownVersion } from "./version.ts";
import { visibleLine } from "./view/visible.ts";

/** Runs the command line of this process and ends the process with its exit code. Never shows a stack trace. */
export async function main(): Promise<never> {
  const interruption = watchInterruptions(complain);
  process.on("uncaughtException", (error) => {
    complain(`internal error: ${messageOf(error)}`);
    process.exit(exitCodes.failed);
  });
  const { stdin, stdout, stderr } = process;
  const terminal: Terminal = {
    stdin,
    stdout,
    stderr,
    interactive: isTerminal(stdin) && isTerminal(stderr),
    watched: isTerminal(stdout),
    out: viewOf(stdout, process.env),
    err: viewOf(stderr, process.env),
    interruption: interruption.signal,
  };
  const code = await run(terminal);
  return exitWhenWritten(code, interruption);
}

/** Node leaves the property out of streams that are none, whatever its types say. */
function isTerminal(stream: { readonly isTTY?: boolean }): boolean {
  return stream.isTTY === true;
}

async function run(terminal: Terminal): Promise<number> {
  try {
    const parsed = parseArguments(process.argv.slice(2), commands);
    if (parsed.kind === "run") return await parsed.command.run(parsed.given, terminal);
    terminal.stdout.write(await informationText(parsed));
    return exitCodes.succeeded;
  } catch (error) {
    complain(messageOf(error));
    return error instanceof UsageError ? exitCodes.usage : exitCodes.failed;
  }
}

async function informationText(parsed: Exclude<ReturnType<typeof parseArguments>, { kind: "run" }>): Promise<string> {
  if (parsed.kind === "version") return `${await ownVersion()}\n`;
  const { commandHelp, overallHelp } = await import("./cli/help.ts");
  return parsed.command === undefined ? overallHelp(commands) : commandHelp(parsed.command);
}

/** One line for a person, whatever the message holds. */
function complain(message: string): void {
  process.stderr.write(`fencepost: ${visibleLine(message)}\n`);
}
