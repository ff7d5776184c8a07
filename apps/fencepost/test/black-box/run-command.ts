import { execa } from "execa";
import { commandPath } from "./built-command.ts";
import type { World } from "./world.ts";

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  /** Given to standard input, which is then closed. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** A program, with its arguments, that starts the command. */
  readonly under?: readonly string[];
}

/** Runs the command to its end. */
export async function runCommand(world: World, args: readonly string[], { input = "", env = {}, cwd = world.workspace, under = [] }: RunOptions = {}): Promise<Finished> {
  const [file = process.execPath, ...rest] = [...under, process.execPath, commandPath, ...args];
  const { exitCode, signal, stdout, stderr } = await execa(file, rest, { cwd, env: { ...world.env, ...env }, extendEnv: false, input, reject: false, stripFinalNewline: false });
  return { code: exitCode ?? null, signal: signal ?? null, stdout, stderr };
}
