import { dirname } from "node:path/posix";
import { isUnder, type Access, type SandboxPolicy } from "@fencepost/sandbox";
import { escalationWay } from "../context/escalation-way.ts";
import type { SessionContext } from "../context/session-context.ts";
import { CheckedPath } from "./checked-path.ts";
import { lexicalPath } from "./lexical-path.ts";
import { missingPath } from "./missing-path.ts";
import { denied, invalidPath, neverAllowed, unusablePath, type PathRefusal } from "./path-refusal.ts";
import { isProcessState } from "./process-state.ts";
import { findRealPath, type RealPath } from "./real-path.ts";
import { shorten } from "./shorten.ts";
import { showPath } from "./show-path.ts";

/**
 * `mustExist`: the file that the path leads to is there. `placeMustExist`: the same for a caller that takes directories,
 * who is told how to find one. `mayCreate`: it may be missing, and so may its parents.
 */
export type PathIntent = "mustExist" | "placeMustExist" | "mayCreate";

export type PathSession = Pick<SessionContext, "workingDirectory" | "fileSystem" | "sandbox" | "escalation" | "options" | "spill">;

/**
 * The one way from a path that a model gave to a path that may be used: real, and let through by the fence under this
 * call's policy. The path as given is judged, too, so that a link inside a credential directory opens nothing and a
 * protected name that is a link is not written through.
 * A refusal is a value: `refused` is the finished result of the call.
 *
 * A caller that creates parents resolves again afterwards: what was checked may have been replaced meanwhile.
 */
export async function resolvePath(input: string, access: Access, intent: PathIntent, session: PathSession, policy: SandboxPolicy): Promise<CheckedPath | PathRefusal> {
  const lexical = lexicalPath(input, { workingDirectory: session.workingDirectory, home: policy.environment.home });
  if ("refused" in lexical) return lexical;
  const shown = showPath(lexical.path, session.workingDirectory);
  const place: Place = { lexical: lexical.path, shown, access, intent, session, policy };

  const early = judgeLexical(place);
  if (early) return early;
  const found = await findRealPath(session.fileSystem, lexical.path);
  const refusal = found.real === undefined ? undefined : (judgeReal(found.real, place) ?? judgeName(found.real, place));
  if (refusal) return refusal;
  if (found.kind === "failed") return unreachable(found, place);
  if (found.kind === "dangling") return danglingText(found, place);
  if (found.kind === "missing" && intent !== "mayCreate") return missingPath({ ...place, takesDirectories: intent === "placeMustExist" }, session.fileSystem);
  if (found.kind === "missing" && access === "write") {
    const protectedParent = await judgeNewParents(found.real, place);
    if (protectedParent) return protectedParent;
  }
  if (lexical.namesDirectory) {
    const wrong = await notADirectory(found, place);
    if (wrong) return wrong;
  }
  return new CheckedPath({ real: found.real, lexical: lexical.path, shown, access });
}

interface Place {
  readonly lexical: string;
  readonly shown: string;
  readonly access: Access;
  readonly intent: PathIntent;
  readonly session: PathSession;
  readonly policy: SandboxPolicy;
}

/** Before any system call: so that a refused place cannot be probed for what exists in it. */
function judgeLexical(place: Place): PathRefusal | undefined {
  const { lexical, access, policy } = place;
  if (isProcessState(lexical)) return processStateRefusal(place);
  const verdict = policy.check(lexical, access, "file-tool");
  if (access === "read") return verdict.allowed ? outOfScope(lexical, place) : deny(verdict.reason, place);
  return !verdict.allowed && verdict.reason === "hard_protected" ? deny(verdict.reason, place) : undefined;
}

function judgeReal(real: string, place: Place): PathRefusal | undefined {
  if (isProcessState(real)) return processStateRefusal(place);
  const verdict = place.policy.check(real, place.access, "file-tool");
  if (!verdict.allowed) return deny(verdict.reason, place);
  return place.access === "read" ? outOfScope(real, place) : undefined;
}

/** What is written through a protected name is what that name says, wherever it leads: only a grant for that place opens it. */
function judgeName(real: string, place: Place): PathRefusal | undefined {
  const { lexical, access, policy } = place;
  if (access === "read" || real === lexical) return undefined;
  const verdict = policy.check(lexical, access, "file-tool");
  if (verdict.allowed || verdict.reason === "outside_writable_roots" || policy.decide(real, access, "file-tool").by.kind === "grant") return undefined;
  return deny(verdict.reason, place);
}

/**
 * Parents are made with the file, and a directory of a protected name is protected as itself: `.env/x` is an ordinary
 * path and would still make a `.env`. Outside the writable roots a grant for the file brings its parents.
 */
async function judgeNewParents(real: string, place: Place): Promise<PathRefusal | undefined> {
  const { session, policy } = place;
  for (let parent = dirname(real); parent !== "/" && (await isMissing(session, parent)); parent = dirname(parent)) {
    const verdict = policy.check(parent, "write", "file-tool");
    if (!verdict.allowed && verdict.reason !== "outside_writable_roots") return deny(verdict.reason, { ...place, shown: showPath(parent, session.workingDirectory) });
  }
  return undefined;
}

async function isMissing({ fileSystem }: PathSession, path: string): Promise<boolean> {
  return (await fileSystem.lstat(path).catch(() => undefined)) === undefined;
}

function processStateRefusal({ shown }: Place): PathRefusal {
  return neverAllowed(`${shown} shows the environment, arguments or memory of a process, which may hold secrets, and is not readable by tools. Use /proc/<pid>/status, or bash with ps for the processes of a command.`);
}

function deny(reason: Parameters<typeof denied>[0], { access, shown, session, policy }: Place): PathRefusal {
  return denied(reason, { access, shown, mode: policy.mode, escalation: escalationWay(session) });
}

/** With `readScope: "workspace"` only the workspace and this session's own spill are read. */
function outOfScope(path: string, { session, policy, shown }: Place): PathRefusal | undefined {
  if (session.options.readScope !== "workspace") return undefined;
  const roots = [policy.workspaceRoot, ...(session.spill ? [session.spill.path] : [])];
  if (roots.some((root) => isUnder(path, root))) return undefined;
  return neverAllowed(`${shown} is outside the workspace, and this session reads only inside it. Use a path inside the workspace, or ask the user for the content.`);
}

function danglingText(found: Extract<RealPath, { kind: "dangling" }>, { session, shown, access, intent }: Place): PathRefusal {
  const link = showPath(found.link, session.workingDirectory);
  const target = showPath(found.target, session.workingDirectory);
  const what = link === shown ? `${shown} is a symlink to ${target}, which does not exist` : `${shown} cannot be used: ${link} on the way is a symlink to ${target}, which does not exist`;
  if (intent === "placeMustExist") return unusablePath(`${what}. Use list on ${showPath(dirname(found.link), session.workingDirectory)}, or glob, to find what is meant.`, "dangling_symlink");
  if (access === "read") return unusablePath(`${what}. Use glob to find the file that is meant.`, "dangling_symlink");
  return neverAllowed(`${what}, and nothing is created through a symlink. Use ${target} itself, or remove the link first.`);
}

async function notADirectory(found: Extract<RealPath, { kind: "exists" | "missing" }>, { shown, session, access }: Place): Promise<PathRefusal | undefined> {
  if (found.kind === "missing") return invalidPath(`${shown} was given with a trailing slash, which names a directory; give the path of a file, without the slash`);
  const stat = await session.fileSystem.lstat(found.real).catch(() => undefined);
  if (stat === undefined || stat.kind === "directory") return undefined;
  return unusablePath(`${shown} is a file, not a folder. ${access === "read" ? "Read it" : "Name it"} without the trailing slash.`, "not_a_directory");
}

const unreachableTexts: Readonly<Record<string, (shown: string, at: string) => string>> = {
  ENOTDIR: (shown, at) => `${shown} cannot exist: ${at} is a file, not a folder. Use list on its parent to see what is there.`,
  ELOOP: (shown) => `${shown} leads into a loop of symlinks. Name the file itself, or use list to see where the links point.`,
  EACCES: (shown, at) => `${shown} cannot be reached: the system does not let this user enter ${at}. Use another path, or ask the user to change its permissions.`,
  ENAMETOOLONG: (shown) => `${shorten(shown, maxShownNameCharacters)} has a name longer than the file system allows (255 bytes a name). Use a shorter name.`,
};

function unreachable({ code, at }: Extract<RealPath, { kind: "failed" }>, { shown, session }: Place): PathRefusal {
  const text = unreachableTexts[code]?.(shown, showPath(at, session.workingDirectory));
  return unusablePath(text ?? `${shown} cannot be reached: the system answered ${code}. Use list on its parent to see what is there.`, code);
}

const maxShownNameCharacters = 120;
