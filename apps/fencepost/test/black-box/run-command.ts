import { spawn } from "node:child_process";
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
  const child = spawn(file, rest, { cwd, env: { ...world.env, ...env }, stdio: "pipe" });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode, exitSignal) => resolve([exitCode, exitSignal]));
  });
  return { code, signal, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
}
