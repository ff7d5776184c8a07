import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxAvailability, SandboxCommand, SandboxLaunch, SandboxRefusal } from "../backend/backend.ts";
import { noAdditions } from "../policy/environment.ts";
import { SandboxPolicy } from "../policy/policy.ts";
import { knowsNoRoot, type RunnerSearch } from "./find-runner.ts";
import { diagnose, type Diagnosis } from "./diagnose.ts";
import { runCaptured } from "./run-captured.ts";
import { messageOf } from "../backend/message-of.ts";
import { seccompFilter } from "./seccomp-filter.ts";

const probeTimeoutMs = 10_000;

const neededVersion = [0, 8, 0] as const;

/** Words of the script for what it must not be able to do. */
const forbidden = ["wrote-outside", "wrote-protected", "read-masked", "listed-masked", "secret-of-the-probe", "gave-rights-away", "found-process-one"] as const;

/** Prints a word for each thing it could do. Only the first may be there. */
const probeScript = [
  'if echo x > "$FENCEPOST_PROBE/workspace/file"; then echo can-work; fi',
  'if echo x > "$FENCEPOST_PROBE/outside/file"; then echo wrote-outside; fi',
  'if echo x > "$FENCEPOST_PROBE/workspace/.env"; then echo wrote-protected; fi',
  'if cat "$FENCEPOST_PROBE/home/.ssh/key"; then echo read-masked; fi',
  'if ls "$FENCEPOST_PROBE/home/.ssh"; then echo listed-masked; fi',
  'if chmod 4755 "$FENCEPOST_PROBE/workspace/file"; then echo gave-rights-away; fi',
  "if [ -e /proc/1/mem ]; then echo found-process-one; fi",
  "exit 23",
].join("\n");

const probeExitCode = 23;

type Plan = (runner: string, command: SandboxCommand) => SandboxLaunch | SandboxRefusal | Promise<SandboxLaunch | SandboxRefusal>;

/**
 * Runs the real sandbox once and believes only the kernel: a command must be able to work in its workspace, and be
 * refused a write outside, a write to a protected file, and a credential; and see that the filter of system calls holds.
 */
export async function probeBubblewrap(search: RunnerSearch, plan: Plan): Promise<SandboxAvailability> {
  if (process.platform !== "linux") return unavailable({ reason: "bubblewrap runs on Linux only", remedy: "Use Linux, or macOS with its own sandbox." });
  if (seccompFilter() === undefined) return unavailable({ reason: unknownProcessorReason(), remedy: "Use a machine, and a Node.js, for x64 or arm64." });
  if (search.path === undefined) return unavailable(notFound(search));
  // At once: each waits for a process, and most starts need both.
  const [version, found] = await Promise.all([runCaptured(search.path, ["--version"], probeTimeoutMs), probeWith(search.path, plan)]);
  if (!isNewEnough(version.output)) {
    return unavailable({
      reason: `${search.path} is ${version.output.trim().slice(0, 80) || "not answering"}, and version ${neededVersion.join(".")} or later is needed`,
      remedy: "Install bubblewrap 0.8.0 or later from the distribution (Debian 12, Ubuntu 24.04, Fedora 38 or later have it).",
    });
  }
  return found;
}

export function unknownProcessorReason(): string {
  return `the numbers of system calls are not known for this processor (${process.arch}), so commands could not be kept from all that they must not ask of the kernel`;
}

async function probeWith(runner: string, plan: Plan): Promise<SandboxAvailability> {
  // Each probe has a directory of its own: several processes may start at once.
  let place: string;
  try {
    place = realpathSync(mkdtempSync(join(tmpdir(), "fencepost-probe-")));
  } catch (error) {
    return unavailable({ reason: `the self-check could not make a directory: ${messageOf(error)}`, remedy: `Make ${tmpdir()} a directory that you can write, or set TMPDIR to one.` });
  }
  try {
    return await probeIn(place, runner, plan);
  } catch (error) {
    return unavailable({ reason: `the self-check failed: ${messageOf(error)}`, remedy: "Run `fencepost doctor` for what was found." });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

async function probeIn(place: string, runner: string, plan: Plan): Promise<SandboxAvailability> {
  for (const name of ["workspace", "outside", "home/.ssh", "state"]) mkdirSync(join(place, name), { recursive: true });
  writeFileSync(join(place, "home/.ssh/key"), "secret-of-the-probe\n");
  writeFileSync(join(place, "workspace/.env"), "untouched\n");
  let result = notRun;
  // Once more where it failed: a socket that was to be covered may have gone meanwhile.
  for (let turn = 0; turn < maxTries && !result.ran; turn += 1) {
    const launch = await plan(runner, probeCommand(place));
    if (launch.refused) return unavailable({ reason: launch.message, remedy: "Run `fencepost doctor` for what was found." });
    result = await runLaunch(launch);
  }
  if (!result.ran) return unavailable(diagnose(result.output));
  const words = result.output.split("\n");
  const held = !forbidden.some((word) => words.includes(word)) && !existsSync(join(place, "outside/file"));
  if (!held) return unavailable({ reason: "the kernel did not refuse what the sandbox forbids", remedy: "Do not rely on this machine's bubblewrap; report the kernel and bubblewrap versions." });
  if (result.exitCode !== probeExitCode || !words.includes("can-work")) return unavailable({ reason: "a command in the sandbox could not do its work", remedy: "Run `fencepost doctor` for what was found." });
  return { available: true };
}

function probeCommand(place: string): SandboxCommand {
  const home = join(place, "home");
  const policy = new SandboxPolicy({
    mode: "auto",
    workspaceRoot: join(place, "workspace"),
    grants: [],
    network: "host",
    environment: { home, credentialHomes: [home], tempRoots: [], stateHome: join(place, "state"), skillRoots: [], gitDirs: [], additions: noAdditions },
  });
  return { policy, argv: ["/bin/sh", "-c", probeScript], workingDirectory: join(place, "workspace"), env: { PATH: "/usr/bin:/bin", FENCEPOST_PROBE: place }, sessionId: "probe", callId: "probe" };
}

interface ProbeRun {
  readonly ran: boolean;
  readonly exitCode: number | null;
  readonly output: string;
}

const notRun: ProbeRun = { ran: false, exitCode: null, output: "" };

const maxTries = 2;

async function runLaunch(launch: SandboxLaunch): Promise<ProbeRun> {
  const child = spawn(launch.file, launch.args, { env: launch.env, cwd: launch.cwd, detached: true, stdio: ["ignore", "pipe", "pipe", ...launch.descriptors.map((one) => (one === "status" ? "pipe" : one))] });
  launch.onStarted(child.pid);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => (output += chunk.toString("latin1")));
  const status = child.stdio[3];
  if (status !== null && status !== undefined && "on" in status) status.on("data", (chunk: Uint8Array) => launch.onStatus(chunk));
  const timer = setTimeout(() => launch.signal("SIGKILL"), probeTimeoutMs);
  const exit = await new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once("error", () => resolve({ code: null, signal: null }));
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  clearTimeout(timer);
  const settled = await launch.settle(exit);
  return { ran: settled.ran, exitCode: settled.exitCode, output };
}

function notFound(search: RunnerSearch): Diagnosis {
  const [first] = search.rejected;
  if (first !== undefined && knowsNoRoot()) return { reason: "this process already runs in a sandbox, in which nothing belongs to root, so no bubblewrap can be trusted", remedy: "Run Fencepost outside that sandbox." };
  if (first !== undefined) return { reason: `${first.path} cannot be trusted: ${first.why}`, remedy: "Install bubblewrap from the distribution, so that only root can change it." };
  return { reason: "bubblewrap is not installed", remedy: "Install it: apt install bubblewrap (Debian, Ubuntu), dnf install bubblewrap (Fedora), pacman -S bubblewrap (Arch)." };
}

function isNewEnough(text: string): boolean {
  const found = /^bubblewrap (\d+)\.(\d+)(?:\.(\d+))?/.exec(text);
  if (found === null) return false;
  const parts = [found[1], found[2], found[3] ?? "0"].map(Number);
  for (const [index, needed] of neededVersion.entries()) {
    const part = parts[index] ?? 0;
    if (part !== needed) return part > needed;
  }
  return true;
}

function unavailable(diagnosis: Diagnosis): SandboxAvailability {
  return { available: false, ...diagnosis };
}
