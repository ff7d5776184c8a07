import { readFileSync, statSync, lstatSync } from "node:fs";
import { findRunner } from "../bubblewrap/find-runner.ts";
import type { SandboxBackend } from "../backend/backend.ts";

/** One thing that was looked at. */
export interface DoctorFinding {
  readonly subject: string;
  readonly state: "good" | "note" | "bad";
  /** What was found, one clause. */
  readonly found: string;
  /** One line to act on. */
  readonly remedy?: string;
}

/** What keeps the sandbox from working on this machine, or will get in a command's way. Changes nothing. */
export async function doctor(backend: SandboxBackend, workspaceRoot: string): Promise<readonly DoctorFinding[]> {
  const answer = await backend.probe();
  const selfCheck: DoctorFinding = answer.available
    ? { subject: "self-check", state: "good", found: `${backend.id} refuses what it must` }
    : { subject: "self-check", state: "bad", found: answer.reason, remedy: answer.remedy };
  const linux = process.platform === "linux" ? [runnerFinding(), ...kernelFindings(answer.available), ...containerFinding(answer.available)] : [];
  return [selfCheck, ...linux, ...ownerFinding(workspaceRoot)];
}

function runnerFinding(): DoctorFinding {
  const { path, rejected } = findRunner();
  if (path !== undefined) return { subject: "bubblewrap", state: "good", found: path };
  const [first] = rejected;
  return first === undefined
    ? { subject: "bubblewrap", state: "bad", found: "not installed", remedy: "Install it: apt install bubblewrap, dnf install bubblewrap or pacman -S bubblewrap." }
    : { subject: "bubblewrap", state: "bad", found: first.why, remedy: "Install bubblewrap from the distribution, so that only root can change it." };
}

const kernelSettings = [
  { path: "/proc/sys/user/max_user_namespaces", bad: "0", found: "the kernel allows no user namespaces", remedy: "sysctl user.max_user_namespaces=15000" },
  { path: "/proc/sys/kernel/unprivileged_userns_clone", bad: "0", found: "the kernel refuses user namespaces to ordinary users", remedy: "sysctl kernel.unprivileged_userns_clone=1" },
  {
    path: "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
    bad: "1",
    found: "AppArmor restricts user namespaces to programs with a profile",
    remedy: "Give bwrap a profile with `userns,` (Ubuntu: bwrap-userns-restrict of apparmor-profiles), or sysctl kernel.apparmor_restrict_unprivileged_userns=0",
  },
] as const;

function kernelFindings(works: boolean): readonly DoctorFinding[] {
  return kernelSettings
    .filter(({ path, bad }) => textOf(path) === bad)
    .map(({ path, found, remedy }): DoctorFinding => ({ subject: path.slice(path.lastIndexOf("/") + 1), state: works ? "note" : "bad", found, remedy }));
}

function containerFinding(works: boolean): readonly DoctorFinding[] {
  const inside = ["/.dockerenv", "/run/.containerenv"].some((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
  if (!inside) return [];
  return [
    works
      ? { subject: "container", state: "note", found: "this is a container that allows nested sandboxes" }
      : { subject: "container", state: "bad", found: "this is a container, and it refuses nested sandboxes", remedy: "Run Fencepost outside it, or allow user namespaces and an unmasked /proc (docker: --security-opt seccomp=unconfined --security-opt systempaths=unconfined)." },
  ];
}

/** Root without capabilities is nobody special: files of another user are not writable for its commands. */
function ownerFinding(workspaceRoot: string): readonly DoctorFinding[] {
  if (process.geteuid?.() !== 0) return [];
  const owner = ownerOf(workspaceRoot);
  if (owner === undefined || owner === 0) return [];
  return [{ subject: "workspace owner", state: "bad", found: `the host runs as root and the workspace belongs to uid ${owner}, so commands can read it but not write it`, remedy: `Run Fencepost as that user: sudo -u '#${owner}' fencepost …` }];
}

function ownerOf(path: string): number | undefined {
  try {
    return statSync(path).uid;
  } catch {
    return undefined;
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1").trim();
  } catch {
    return undefined;
  }
}
