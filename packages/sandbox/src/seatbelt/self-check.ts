import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxAvailability } from "../backend/backend.ts";
import { messageOf } from "../backend/message-of.ts";
import { noAdditions } from "../policy/environment.ts";
import { SandboxPolicy } from "../policy/policy.ts";
import { selfCheckTimeoutMs } from "../limits.ts";
import { seatbeltProfile, type SeatbeltProfile } from "./profile.ts";
import { runnerArguments } from "./runner.ts";

/** How a short process ended. `code` is null where it could not be started or was killed. */
export interface CheckRun {
  readonly code: number | null;
  readonly output: string;
}

const toolsPath = "/usr/bin:/bin:/usr/sbin:/sbin";

/** Writes inside, reads a secret, writes outside: the two last must be refused. */
const checkScript = 'echo in > "$1"; cat "$2"; echo out > "$3"';

/**
 * Tries in the real sandbox what must be refused. Only the kernel's refusal counts: the outside file must not exist,
 * the secret must not be read, and what is allowed must work.
 */
export async function selfCheck(runner: string): Promise<SandboxAvailability> {
  let directory: string;
  try {
    directory = realpathSync(mkdtempSync(join(tmpdir(), "fencepost-self-check-")));
  } catch (error) {
    return unavailable(`the self-check could not make a directory: ${messageOf(error)}`, `Make ${tmpdir()} a directory that you can write, or set TMPDIR to one.`);
  }
  try {
    const at = { inside: join(directory, "workspace/in"), secret: join(directory, "home/.ssh/secret"), outside: join(directory, "outside") };
    mkdirSync(join(directory, "workspace"));
    mkdirSync(join(directory, "home/.ssh"), { recursive: true });
    const token = randomUUID();
    writeFileSync(at.secret, token);
    const argv = ["/bin/sh", "-c", checkScript, "sh", at.inside, at.secret, at.outside];
    const run = await runToEnd(runner, runnerArguments(seatbeltProfile(checkPolicy(directory), "bash"), argv));
    return judgeSelfCheck(run, { wroteInside: existsSync(at.inside), readSecret: run.output.includes(token), wroteOutside: existsSync(at.outside) });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

export interface CheckFindings {
  readonly wroteInside: boolean;
  readonly readSecret: boolean;
  readonly wroteOutside: boolean;
}

export function judgeSelfCheck(run: CheckRun, found: CheckFindings): SandboxAvailability {
  if (found.readSecret || found.wroteOutside) return unavailable("sandbox-exec does not enforce what it is told", "Check that System Integrity Protection is on: csrutil status.");
  if (run.code === 71 || /sandbox_apply/.test(run.output)) return unavailable("this process already runs inside another sandbox, and sandboxes do not nest", "Start it outside the other sandbox.");
  if (!found.wroteInside) return unavailable(`sandbox-exec cannot run a command: ${firstLine(run)}`, "Run /usr/bin/sandbox-exec -p '(version 1)(allow default)' /usr/bin/true and see what it says.");
  if (run.code === 0 || !/operation not permitted/i.test(run.output)) return unavailable("the sandbox did not say that it refuses", "Check that System Integrity Protection is on: csrutil status.");
  return { available: true };
}

/** Undefined where the profile loads, else what the runner said about it. */
export async function validateProfile(runner: string, profile: SeatbeltProfile): Promise<string | undefined> {
  const run = await runToEnd(runner, runnerArguments(profile, ["/usr/bin/true"]));
  return run.code === 0 ? undefined : firstLine(run);
}

/** A policy in which the directory's `workspace` may be written and its `home/.ssh` not be read. */
function checkPolicy(directory: string): SandboxPolicy {
  const home = join(directory, "home");
  return new SandboxPolicy({
    mode: "auto",
    workspaceRoot: join(directory, "workspace"),
    grants: [],
    network: "host",
    environment: { home, credentialHomes: [home], tempRoots: [], stateHome: join(home, ".fencepost"), skillRoots: [], gitDirs: [], additions: noAdditions },
  });
}

function runToEnd(file: string, args: readonly string[]): Promise<CheckRun> {
  return new Promise((resolve) => {
    const env = { PATH: toolsPath, LC_ALL: "C" };
    execFile(file, [...args], { env, cwd: "/", timeout: selfCheckTimeoutMs, killSignal: "SIGKILL", encoding: "utf8" }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : null;
      const said = stdout + stderr;
      resolve({ code, output: said === "" && error !== null ? error.message : said });
    });
  });
}

function firstLine({ code, output }: CheckRun): string {
  const line = output.trim().split("\n")[0] ?? "";
  return line === "" ? `it ended with code ${code ?? "none"} and said nothing` : line.slice(0, 200);
}

function unavailable(reason: string, remedy: string): SandboxAvailability {
  return { available: false, reason, remedy };
}
