import { spawn } from "node:child_process";

const colour = process.stdout.isTTY && !process.env.NO_COLOR;

/** One line of progress for a person. */
export function say(text) {
  console.log(colour ? `\u001b[36m▸\u001b[39m ${text}` : `> ${text}`);
}

/** Ends the script with one line that says what is wrong and what to do. */
export function giveUp(text, code = 1) {
  console.error(text);
  process.exit(code);
}

/**
 * Runs a program and waits. Quiet: its output is shown only where it fails. Gives the exit code, the output and the time.
 * Standard input is never passed on: nothing here may wait for someone.
 */
export async function run(file, args, { cwd, env, quiet = true } = {}) {
  const startedAt = performance.now();
  const child = spawn(file, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", quiet ? "pipe" : "inherit", quiet ? "pipe" : "inherit"] });
  const chunks = [];
  child.stdout?.on("data", (chunk) => chunks.push(chunk));
  child.stderr?.on("data", (chunk) => chunks.push(chunk));
  const code = await new Promise((resolve) => {
    child.once("error", (error) => {
      chunks.push(Buffer.from(`${error.message}\n`));
      resolve(127);
    });
    child.once("close", (exitCode, signal) => resolve(exitCode ?? (signal ? 1 : 0)));
  });
  return { code, output: Buffer.concat(chunks).toString(), seconds: (performance.now() - startedAt) / 1000 };
}

/** As `run`, for a step that must succeed: prints what it does, how long it took, and all of its output if it fails. */
export async function step(title, file, args, options) {
  say(`${title} …`);
  const done = await run(file, args, options);
  if (done.code !== 0) giveUp(`${done.output}\n${title} failed (exit ${done.code}): ${file} ${args.join(" ")}`);
  return done;
}
