import type { SandboxAvailability, SandboxBackend } from "../backend/backend.ts";
import { kernelRoots } from "../policy/devices.ts";
import { isUnder, nameOf } from "../policy/paths.ts";
import { thisMachine, type Machine } from "./machine.ts";

/** One thing that was looked at. */
export interface DoctorFinding {
  readonly subject: string;
  readonly state: "good" | "note" | "bad";
  /** What was found, one clause. */
  readonly found: string;
  /** One line to act on. */
  readonly remedy?: string;
}

/** Canonical directories of the session that is asked about. */
export interface DoctorPlaces {
  readonly workspaceRoot: string;
  readonly stateHome: string;
  readonly tempRoots: readonly string[];
}

/** What keeps the sandbox from working on this machine, or will get in a command's way. Changes nothing. */
export async function doctor(backend: SandboxBackend, places: DoctorPlaces): Promise<readonly DoctorFinding[]> {
  return examine(backend.id, await backend.probe(), places, thisMachine());
}

/** The findings, once the self-check is done. */
export function examine(backend: string, answer: SandboxAvailability, places: DoctorPlaces, machine: Machine): readonly DoctorFinding[] {
  const works = answer.available;
  const linux = machine.platform === "linux" ? [...runnerFindings(machine, works), ...kernelFindings(machine, works), ...containerFinding(machine, answer), ...socketFinding(machine, places)] : [];
  return [selfCheck(backend, answer, machine), ...linux, ...ownerFinding(machine, places.workspaceRoot), stateHomeFinding(machine, places.stateHome)];
}

function selfCheck(backend: string, answer: SandboxAvailability, machine: Machine): DoctorFinding {
  const subject = "self-check";
  if (answer.available) return { subject, state: "good", found: `${backend} refuses what it must` };
  const { path } = machine.platform === "linux" ? machine.runner() : { path: undefined };
  // What the start of such a file failed with says nothing of its version.
  if (path !== undefined && !machine.isExecutable(path)) return { subject, state: "bad", found: `${path} could not be started, so nothing was checked`, remedy: "Mend what is said of bubblewrap, and look again." };
  return { subject, state: "bad", found: answer.reason, remedy: answer.remedy };
}

function runnerFindings(machine: Machine, works: boolean): readonly DoctorFinding[] {
  const { path, rejected } = machine.runner();
  if (path === undefined) {
    const [first] = rejected;
    return [
      first === undefined
        ? { subject: "bubblewrap", state: "bad", found: "not installed", remedy: "Install it: apt install bubblewrap, dnf install bubblewrap or pacman -S bubblewrap." }
        : { subject: "bubblewrap", state: "bad", found: `${first.path} cannot be trusted: ${first.why}`, remedy: "Install bubblewrap from the distribution, so that only root can change it." },
    ];
  }
  if (!machine.isExecutable(path)) return [{ subject: "bubblewrap", state: "bad", found: `${path} is not executable for this user`, remedy: `Make it executable: chmod a+x ${path}, or install bubblewrap again.` }];
  // Root starts it as what it is anyway.
  if (!machine.isSetuid(path) || machine.uid === 0) return [{ subject: "bubblewrap", state: "good", found: path }];
  return [{ subject: "bubblewrap", state: works ? "note" : "bad", found: `${path} is setuid and cannot be hardened that way`, remedy: `Remove the setuid bit: chmod u-s ${path}.` }];
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

function kernelFindings(machine: Machine, works: boolean): readonly DoctorFinding[] {
  return kernelSettings
    .filter(({ path, bad }) => machine.textOf(path) === bad)
    .map(({ path, found, remedy }): DoctorFinding => ({ subject: nameOf(path), state: works ? "note" : "bad", found, remedy }));
}

/** How the self-check says that namespaces, or a new /proc, were asked for and refused. */
const nestingRefused = /user namespaces|nested/;

/** Whether it allows nested sandboxes is known only where one was tried. */
function containerFinding(machine: Machine, answer: SandboxAvailability): readonly DoctorFinding[] {
  if (!["/.dockerenv", "/run/.containerenv"].some((path) => machine.exists(path))) return [];
  if (answer.available) return [{ subject: "container", state: "note", found: "this is a container that allows nested sandboxes" }];
  if (!nestingRefused.test(answer.reason)) return [{ subject: "container", state: "note", found: "this is a container; whether it allows nested sandboxes was not found out" }];
  return [{ subject: "container", state: "bad", found: "this is a container, and it refuses nested sandboxes", remedy: "Run Fencepost outside it, or allow user namespaces and an unmasked /proc (docker: --security-opt seccomp=unconfined --security-opt systempaths=unconfined)." }];
}

/** What holds the workspace or a temp root cannot be hidden from commands, and with it the sockets of services in it. */
function socketFinding({ xdgRuntimeDirectory }: Machine, { workspaceRoot, tempRoots }: DoctorPlaces): readonly DoctorFinding[] {
  if (xdgRuntimeDirectory === undefined) return [];
  const inside = [workspaceRoot, ...tempRoots].find((path) => isUnder(path, xdgRuntimeDirectory));
  if (inside === undefined) return [];
  return [{ subject: "XDG_RUNTIME_DIR", state: "note", found: `it holds ${inside}, so the sockets of services in it stay reachable for commands`, remedy: "Take a workspace and a TMPDIR outside XDG_RUNTIME_DIR." }];
}

/** Root without capabilities is nobody special: files of another user are not writable for its commands. */
function ownerFinding(machine: Machine, workspaceRoot: string): readonly DoctorFinding[] {
  if (machine.uid !== 0) return [];
  const owner = machine.ownerOf(workspaceRoot);
  if (owner === undefined || owner === 0) return [];
  return [{ subject: "workspace owner", state: "bad", found: `the host runs as root and the workspace belongs to uid ${owner}, so commands can read it but not write it`, remedy: `Run Fencepost as that user: sudo -u '#${owner}' fencepost …` }];
}

/** Locks, quarantine and the registry of running commands are kept there: nothing is written and no command runs without. */
function stateHomeFinding(machine: Machine, stateHome: string): DoctorFinding {
  const subject = "state directory";
  if (kernelRoots.some((root) => isUnder(stateHome, root))) {
    return { subject, state: "bad", found: `${stateHome} lies in a file system of the kernel, where nothing can be kept, so no tool runs`, remedy: "Set HOME to a directory of your own." };
  }
  const error = machine.writeError(stateHome);
  if (error === undefined) return { subject, state: "good", found: stateHome };
  return { subject, state: "bad", found: `${stateHome} cannot be written (${error}), so tools only read and no command runs`, remedy: "Make it writable for this user, or set HOME to a directory of your own." };
}
