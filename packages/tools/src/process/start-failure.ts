import { errorCode } from "../files/error-code.ts";

/** Why a runner could not be started, as a sentence or two for the model: what was wrong and what to do next. */
export function startFailure(error: unknown, workingDirectory: string, directoryExists: boolean): string {
  const code = errorCode(error);
  if (!directoryExists) return goneDirectoryText(workingDirectory);
  switch (code) {
    case "E2BIG":
      return "The command could not start: its environment and arguments are larger than the system allows (E2BIG). Pass large data in a file, and ask the user to make the environment smaller.";
    case "EAGAIN":
    case "ENOMEM":
      return `The command could not start: the system has no process or memory left (${code}). Stop what is no longer needed and try again.`;
    case "EMFILE":
    case "ENFILE":
      return `The command could not start: too many files are open (${code}). Try again when other calls have ended.`;
    default:
      return `The command could not start: ${error instanceof Error ? error.message : String(error)}. Ask the user to check the sandbox with \`fencepost doctor\`.`;
  }
}

/** A missing working directory reads as "spawn … ENOENT" otherwise, which names the wrong file. */
export function goneDirectoryText(path: string): string {
  return `The working directory ${path} does not exist any more. Pass another workdir, or create it again with the write tool.`;
}

export function missingProgramText(program: string): string {
  return `The command could not start: ${program} is not installed on this machine. Ask the user to install it.`;
}
