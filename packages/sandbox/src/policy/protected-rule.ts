import { credentialPathsOf } from "./credential-paths.ts";
import { kernelRoots } from "./devices.ts";
import type { Tier } from "./access.ts";
import type { SandboxEnvironment } from "./environment.ts";
import { joinPath, unique } from "./paths.ts";

/**
 * One protected place. The fence, the Seatbelt profile and the bubblewrap plan are all made from a list of these:
 * a protected name is written here and nowhere else.
 */
export interface ProtectedRule {
  readonly tier: Exclude<Tier, "normal">;
  /** Absolute and canonical. Where the rule begins to look. */
  readonly root: string;
  /** `at`: `segments` follow the root directly. `anywhere`: they may begin at any depth below it. */
  readonly depth: "at" | "anywhere";
  /** Empty: the root itself. Names compare by `foldName`. */
  readonly segments: readonly SegmentPattern[];
  /** `entry`: what the segments name, not its children. `subtree`: everything below it too. */
  readonly covers: "entry" | "subtree";
  /** What the rule protects, for `explain`: reads well after "it is". */
  readonly because: string;
}

export type SegmentPattern =
  | { readonly kind: "name"; readonly name: string }
  /** Any name that begins so. */
  | { readonly kind: "prefix"; readonly prefix: string }
  /** Any number of segments, none included. */
  | { readonly kind: "any-depth" };

/** Other programs run, or obey, what these directories hold. */
const sensitiveDirectories = [".vscode", ".idea", ".claude", ".codex", ".cursor", ".gemini", ".husky"] as const;

const sensitiveFiles = [
  ".gitconfig",
  ".gitmodules",
  ".bashrc",
  ".bash_profile",
  ".zshrc",
  ".zprofile",
  ".profile",
  ".mcp.json",
  ".ripgreprc",
] as const;

const environmentFilePrefix = ".env";

/** Everything that is protected in one workspace on one machine. Strictest tiers first. */
export function protectedRules(workspaceRoot: string, environment: SandboxEnvironment): readonly ProtectedRule[] {
  const { additions, aliases } = environment;
  const names = namesBelow(workspaceRoot, additions);
  const linked = (aliases?.linkedPlaces ?? []).map(({ path, tier, covers }): ProtectedRule => ({ tier, root: path, depth: "at", segments: [], covers, because: "where a protected name of the workspace leads, which is a symlink" }));
  return [
    ...kernelRoots.map((root) => whole("hard-protected", root, "no file but the kernel's own")),
    whole("hard-protected", environment.stateHome, "Fencepost's own state"),
    ...environment.skillRoots.map((root) => whole("hard-protected", root, "instructions that agents follow")),
    ...(aliases?.hardProtectedPaths ?? []).map((path) => whole("hard-protected", path, "another name of Fencepost's own state or of agents' instructions")),
    ...additions.hardProtectedPaths.map((path) => whole("hard-protected", path, "protected by the host application")),
    ...ofTier(linked, "hard-protected"),
    ...hooksBelow(workspaceRoot, "anywhere", [named(".git")]),
    ...environment.gitDirs.flatMap((gitDir) => hooksBelow(gitDir, "at", [])),
    ...ofTier(names, "hard-protected"),

    ...environment.gitDirs.map((gitDir) => whole("sensitive", gitDir, "the git directory of this workspace")),
    ...additions.sensitivePaths.map((path) => whole("sensitive", path, "kept by the host application")),
    ...ofTier(linked, "sensitive"),
    ...ofTier(names, "sensitive"),

    ...credentialPaths(environment).map((path) => whole("credential", path, "where credentials are kept")),
  ];
}

/** The names that protect what they stand for, hooks included: what a symlink of such a name leads to is kept as well. */
export function protectedNames(workspaceRoot: string, additions: SandboxEnvironment["additions"]): readonly ProtectedRule[] {
  return [...hooksBelow(workspaceRoot, "anywhere", [named(".git")]), ...namesBelow(workspaceRoot, additions)];
}

function ofTier(rules: readonly ProtectedRule[], tier: ProtectedRule["tier"]): readonly ProtectedRule[] {
  return rules.filter((rule) => rule.tier === tier);
}

/** The names that are protected at any depth below one directory, hooks aside. */
function namesBelow(root: string, additions: SandboxEnvironment["additions"]): readonly ProtectedRule[] {
  return [
    ...additions.hardProtectedNames.map((name) => below("hard-protected", root, [named(name)], "subtree", `a name the host application protects (${name})`)),
    below("sensitive", root, [named(".git")], "subtree", "git's own data"),
    below("sensitive", root, [{ kind: "prefix", prefix: environmentFilePrefix }], "entry", "an environment file (.env…)"),
    ...sensitiveDirectories.map((name) => below("sensitive", root, [named(name)], "subtree", `settings that other programs obey (${name})`)),
    ...sensitiveFiles.map((name) => below("sensitive", root, [named(name)], "entry", `a file that other programs obey (${name})`)),
    ...additions.sensitiveNames.map((name) => below("sensitive", root, [named(name)], "subtree", `a name the host application keeps (${name})`)),
  ];
}

/** Git hooks wherever they are: what no grant opens, outside the workspace either. */
export const hooksAnywhere: readonly ProtectedRule[] = hooksBelow("/", "anywhere", [named(".git")]);

/** What a grant of a directory outside the workspace leaves closed: names in it that the grant does not name. */
export function namesInGrant(directory: string, environment: SandboxEnvironment): readonly ProtectedRule[] {
  return namesBelow(directory, environment.additions);
}

/** Every credential path of the environment, under each home, with the embedder's and the second names. */
export function credentialPaths(environment: Pick<SandboxEnvironment, "credentialHomes" | "additions" | "aliases">): readonly string[] {
  return unique([
    ...environment.credentialHomes.flatMap(credentialPathsOf),
    ...environment.additions.credentialPaths,
    ...(environment.aliases?.credentialPaths ?? []),
  ]);
}

/** The hooks of a git directory and of the submodules whose git directories it holds. */
function hooksBelow(root: string, depth: "at" | "anywhere", gitDir: readonly SegmentPattern[]): readonly ProtectedRule[] {
  const inModules = [...gitDir, named("modules"), { kind: "any-depth" } as const, named("hooks")];
  return [
    { tier: "hard-protected", root, depth, segments: [...gitDir, named("hooks")], covers: "subtree", because: "git hooks, which git runs" },
    { tier: "hard-protected", root, depth, segments: inModules, covers: "subtree", because: "a submodule's git hooks, which git runs" },
  ];
}

function whole(tier: ProtectedRule["tier"], root: string, because: string): ProtectedRule {
  return { tier, root, depth: "at", segments: [], covers: "subtree", because };
}

function below(tier: ProtectedRule["tier"], root: string, segments: readonly SegmentPattern[], covers: ProtectedRule["covers"], because: string): ProtectedRule {
  return { tier, root, depth: "anywhere", segments, covers, because };
}

function named(name: string): SegmentPattern {
  return { kind: "name", name };
}

/** The path of a rule that names one place rather than a pattern of names; undefined for the others. */
export function fixedPath(rule: ProtectedRule): string | undefined {
  if (rule.depth === "anywhere") return undefined;
  const names = rule.segments.map((segment) => (segment.kind === "name" ? segment.name : undefined));
  return names.includes(undefined) ? undefined : names.reduce<string>((path, name) => joinPath(path, name ?? ""), rule.root);
}
