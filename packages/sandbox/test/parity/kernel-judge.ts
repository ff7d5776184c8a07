import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SandboxPolicy, type SandboxBackend } from "@fencepost/sandbox";
import { run } from "../bubblewrap/world.ts";
import { probeChild, type Judge, type Judgement } from "./judges.ts";
import type { Place, Setting, World } from "./world.ts";

interface Probe {
  /** As given: the kernel resolves it. */
  readonly path: string;
  readonly is: "file" | "directory" | "missing" | "device";
}

const mark = "+";

/**
 * Runs inside the sandbox: reads each place and writes to it, and prints what went well. Written content stays, because
 * what counts is what is there after the call: on Linux a refusal may come as a removal when the call ends.
 */
const probeScript = `
const fs = require("node:fs"), path = require("node:path");
const tried = (act) => { try { act(); return true; } catch { return false; } };
const results = JSON.parse(fs.readFileSync(process.argv[1], "utf8")).map(({ path: at, is }) => ({
  readable: tried(() => { if (is === "directory") { fs.readdirSync(at); return; } const fd = fs.openSync(at, "r"); try { fs.readSync(fd, Buffer.alloc(1)); } finally { fs.closeSync(fd); } }),
  writable: tried(() => {
    if (is === "missing") fs.mkdirSync(path.dirname(at), { recursive: true });
    const fd = fs.openSync(is === "directory" ? at + "/${probeChild}" : at, "a");
    try { fs.writeSync(fd, "${mark}"); } finally { fs.closeSync(fd); }
  }),
}));
console.log(results.map(({ readable, writable }) => (readable ? "r" : "-") + (writable ? "w" : "-")).join(" "));
`;

/** Judge 3: the kernel, asked by a program in the sandbox, and by the disk when its call has ended. */
export function kernelJudge(world: World, backend: SandboxBackend): Judge {
  return async (setting, places) => {
    const probes = places.map(({ path }) => ({ path, is: kindOf(world, path) }));
    const list = join(world.root, "outside/probes.json");
    writeFileSync(list, JSON.stringify(probes));
    const ran = await run(backend, {
      policy: asBash(setting),
      argv: [process.execPath, "-e", probeScript, list],
      workingDirectory: setting.policy.workspaceRoot,
      env: { PATH: "/usr/bin:/bin", HOME: world.environment.home },
      sessionId: "parity",
      callId: `call-${(calls += 1)}`,
    });
    rmSync(list);
    if (!ran.ran || ran.exitCode !== 0) throw new Error(`the probe did not run: ${JSON.stringify(ran)}`);
    const told = ran.output.trim().split(" ");
    const judgements = probes.map((probe, index) => judgement(world, probe, told[index]));
    restore(world, probes);
    return judgements;
  };
}

let calls = 0;

function kindOf(world: World, path: string): Probe["is"] {
  const real = world.disk.resolve(path, false);
  if (real === "/dev/null" || real === "/dev/zero") return "device";
  const entry = world.disk.at(real);
  return entry?.is === "file" || entry?.is === "directory" ? entry.is : "missing";
}

function judgement(world: World, probe: Probe, told: string | undefined): Judgement {
  if (told === undefined) throw new Error(`nothing was said about ${probe.path}`);
  return { readable: probe.is === "missing" ? undefined : told.startsWith("r"), writable: told.endsWith("w") && (probe.is === "device" || landed(world, probe)) };
}

/** Whether what was written is there after the call. */
function landed(world: World, { path, is }: Probe): boolean {
  const real = world.disk.resolve(path, false);
  const at = is === "directory" ? join(real, probeChild) : real;
  return existsSync(at) && readFileSync(at, "utf8").endsWith(mark);
}

/** A policy whose commands may do what the setting's actor may: backends compile commands only. */
function asBash({ policy, actor }: Setting): SandboxPolicy {
  if (actor === "bash") return policy;
  const { workspaceRoot, grants, environment, network } = policy;
  const same = new SandboxPolicy({ mode: "auto", workspaceRoot, grants, environment, network });
  const [asked, given] = [policy.rules("file-tool"), same.rules("bash")];
  if (JSON.stringify({ ...asked, actor: "" }) !== JSON.stringify({ ...given, actor: "" })) throw new Error("no command has the rules of this file tool");
  return same;
}

/** Puts the world back as it was made. */
function restore(world: World, probes: readonly Probe[]): void {
  for (const { path, is } of probes) {
    const real = world.disk.resolve(path, false);
    if (!real.startsWith(`${world.root}/`)) continue;
    if (is === "directory") rmSync(join(real, probeChild), { force: true });
    if (is === "file") writeFileSync(real, `content of ${real}\n`);
    if (is === "missing") removeMade(world, real);
  }
}

/** The entry and the directories above it that the world does not have. */
function removeMade(world: World, path: string): void {
  let made = path;
  while (world.disk.at(join(made, "..")) === undefined) made = join(made, "..");
  if (world.disk.at(made) === undefined && lstatSync(made, { throwIfNoEntry: false })) rmSync(made, { recursive: true, force: true });
  mkdirSync(join(made, ".."), { recursive: true });
}

/** Places that a kernel can be asked about: those of the world, and two devices. */
export function askable(places: readonly Place[]): readonly Place[] {
  return places.filter((place) => place.path !== "/dev/fence-probe");
}
