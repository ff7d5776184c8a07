import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { makeDirectory } from "@fencepost/sandbox";
import { errorCode } from "../files/error-code.ts";

/** The kernel's limit for one argument, its closing NUL included, in bytes. */
const maxArgumentBytes = 131_072;

/** Arguments in place of ones that are too long, and how to clean up behind them. */
export interface FittedArguments {
  readonly argv: readonly string[];
  readonly release: () => void;
}

/**
 * Moves an over-long script of `<shell> [options] -c <script>` into a file that only this user can read and no
 * sandboxed command can write, and lets the shell read it from there. Anything else stays as it is.
 */
export function fitArguments(argv: readonly string[], stateHome: string): FittedArguments {
  const script = argv.at(-1);
  const isScript = argv.length >= 3 && /^-[a-z]*c$/.test(argv.at(-2) ?? "");
  if (script === undefined || !isScript || Buffer.byteLength(script) < maxArgumentBytes) return { argv, release: () => {} };
  const directory = join(stateHome, "scripts");
  makeDirectory(directory);
  sweep(directory);
  const path = join(directory, `${process.pid}-${randomBytes(8).toString("hex")}`);
  writeFileSync(path, script, { mode: 0o400, flag: "wx" });
  const otherOptions = (argv.at(-2) ?? "").slice(1, -1);
  const options = otherOptions === "" ? [] : [`-${otherOptions}`];
  return { argv: [...argv.slice(0, -2), ...options, path], release: () => rmSync(path, { force: true }) };
}

/** A file of a process that is not seen here is kept this long: it may live in another container. */
const staleMs = 24 * 60 * 60 * 1000;

/** Removes what a process left that did not live to do it. */
function sweep(directory: string): void {
  for (const name of readdirSync(directory)) {
    const owner = /^(\d+)-[0-9a-f]{16}$/.exec(name)?.[1];
    const path = join(directory, name);
    if (owner !== undefined && !isAlive(Number(owner)) && Date.now() - statSync(path).mtimeMs > staleMs) rmSync(path, { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
