import { dirname } from "node:path/posix";
import { isUnder } from "@fencepost/sandbox";
import type { CallContext } from "../context/call-context.ts";
import type { SessionContext } from "../context/session-context.ts";
import type { SearchPlace } from "./search-call.ts";
import type { SearchScope } from "./search-backend.ts";

export interface SearchChoices {
  readonly includeHidden: boolean;
  /** From now on. */
  readonly timeoutMs: number;
}

/** What a call may search: the checked path, without the places that its policy does not let it read. */
export async function searchScope(session: SessionContext, call: CallContext, { path, kind }: SearchPlace, { includeHidden, timeoutMs }: SearchChoices): Promise<SearchScope> {
  const deadline = Date.now() + timeoutMs;
  const { scanBudget, extraSkipDirs } = session.options;
  return {
    root: path.real,
    rootKind: kind,
    shownPrefix: shownPrefix(path.shown, kind),
    ignoreBoundary: await ignoreBoundary(session, path.real, call.policy.workspaceRoot),
    excludedPaths: unreadablePaths(call),
    skippedDirectories: extraSkipDirs,
    includeHidden,
    budget: scanBudget,
    deadline,
    signal: call.signal,
  };
}

/** How long a call may search, in milliseconds: as long as the session lets it, but not past its own deadline. */
export function timeoutOf(session: SessionContext, call: CallContext): number {
  const { searchTimeoutMs } = session.options;
  return call.deadline === undefined ? searchTimeoutMs : Math.min(searchTimeoutMs, Math.max(0, call.deadline - Date.now()));
}

function shownPrefix(shown: string, rootKind: "file" | "directory"): string {
  if (rootKind === "file") return shown;
  if (shown === ".") return "";
  return shown.endsWith("/") ? shown : `${shown}/`;
}

/** The credential paths that no grant of this call opens. */
function unreadablePaths({ policy }: CallContext): readonly string[] {
  const credentials = policy.rules("file-tool").protectedRules.filter((rule) => rule.tier === "credential");
  return credentials.map((rule) => rule.root).filter((path) => !policy.check(path, "read", "file-tool").allowed);
}

/** Inside the workspace its root; elsewhere the root of the repository around, or the searched place itself. */
async function ignoreBoundary(session: SessionContext, root: string, workspaceRoot: string): Promise<string> {
  if (isUnder(root, workspaceRoot)) return workspaceRoot;
  for (let at = root; at !== "/"; at = dirname(at)) {
    const isRepository = await session.fileSystem.lstat(`${at}/.git`).then(
      () => true,
      () => false,
    );
    if (isRepository) return at;
  }
  return root;
}
