import { lstatSync } from "node:fs";
import { userInfo } from "node:os";
import { isAbsolute, resolve } from "node:path";
import { noAdditions, type SandboxEnvironment, type TierAdditions } from "../environment.ts";
import { kernelRoots } from "../devices.ts";
import { isUnder, joinPath, unique } from "../paths.ts";
import { credentialPaths, protectedNames } from "../protected-rule.ts";
import { gitDirsOf } from "./git-dirs.ts";
import { linkedPlaces } from "./linked-places.ts";
import { mountAliases } from "./mount-aliases.ts";
import { existingRealPath, isDirectory, realPathOf } from "./real-path.ts";
import { workspaceDirectories } from "./workspace-directories.ts";

export interface EnvironmentOptions {
  /** Canonical: see `canonicalWorkspace`. */
  readonly workspaceRoot: string;
  /** Default: `$HOME`, else the passwd entry's. */
  readonly home?: string;
  /** Default `<home>/.fencepost`. No variable changes it. */
  readonly stateHome?: string;
  /** Default `~/.agents/skills`. */
  readonly skillRoots?: readonly string[];
  /** Read for `HOME` and `TMPDIR`. Default: of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly additions?: Partial<TierAdditions>;
}

/** Looks once where things are on this machine. Everything it returns is canonical and frozen. */
export function resolveEnvironment(options: EnvironmentOptions): SandboxEnvironment {
  const env = options.env ?? process.env;
  const passwdHome = realPathOf(passwdHomeDirectory());
  const home = realDirectory(options.home) ?? realDirectory(env["HOME"]) ?? passwdHome;
  const credentialHomes = unique([home, passwdHome]);
  const givenStateHome = resolve(options.stateHome ?? joinPath(home, ".fencepost"));
  const stateHome = realPathOf(givenStateHome);
  const givenSkillRoots = (options.skillRoots ?? [joinPath(home, ".agents/skills")]).map((path) => resolve(path));
  const skillRoots = unique(givenSkillRoots.map((path) => realPathOf(path)));
  const additions = canonicalAdditions({ ...noAdditions, ...options.additions });
  const credentials = credentialPaths({ credentialHomes, additions });
  const aliases = {
    hardProtectedPaths: unique([givenStateHome, ...givenSkillRoots]).filter((path) => path !== stateHome && !skillRoots.includes(path)),
    credentialPaths: unique(credentials.map((path) => realPathOf(path))).filter((path) => !credentials.includes(path)),
  };
  const { directories, links } = workspaceDirectories(options.workspaceRoot);
  const closed = ["/", home, ...credentialHomes, stateHome, ...credentials, ...aliases.credentialPaths];
  const tempRoots = tempRootsOf(env["TMPDIR"], closed);
  return deepFreeze({
    home,
    credentialHomes,
    tempRoots,
    stateHome,
    skillRoots,
    gitDirs: gitDirsOf(options.workspaceRoot, directories),
    additions,
    aliases: {
      hardProtectedPaths: unique([...aliases.hardProtectedPaths, ...mountAliases([stateHome, ...skillRoots])]),
      credentialPaths: unique([...aliases.credentialPaths, ...mountAliases([...credentials, ...aliases.credentialPaths])]),
      linkedPlaces: linkedPlaces(links, protectedNames(options.workspaceRoot, additions), [options.workspaceRoot, ...tempRoots]),
    },
    platform: process.platform,
    foldsCase: foldsCase(home),
  });
}

/** `/tmp` and `$TMPDIR`, the latter last. None that is, or contains, a path that must stay closed. */
function tempRootsOf(tmpdir: string | undefined, closed: readonly string[]): readonly string[] {
  const last = realDirectory(tmpdir);
  const standard = realDirectory("/tmp");
  const roots = [standard === last ? undefined : standard, last].filter((root) => root !== undefined);
  return roots.filter((root) => !kernelRoots.some((kernelRoot) => isUnder(root, kernelRoot)) && !closed.some((path) => isUnder(path, root)));
}

function realDirectory(path: string | undefined): string | undefined {
  if (path === undefined || !isAbsolute(path)) return undefined;
  const real = existingRealPath(path);
  return real !== undefined && isDirectory(real) ? real : undefined;
}

function passwdHomeDirectory(): string {
  try {
    return userInfo().homedir;
  } catch {
    return "/";
  }
}

function canonicalAdditions(additions: TierAdditions): TierAdditions {
  return {
    ...additions,
    hardProtectedPaths: bothNames(additions.hardProtectedPaths),
    sensitivePaths: bothNames(additions.sensitivePaths),
    credentialPaths: bothNames(additions.credentialPaths),
  };
}

/** The names given and the real paths behind them: a link must not take the protection away from either. */
function bothNames(paths: readonly string[]): readonly string[] {
  return unique(paths.map((path) => resolve(path)).flatMap((path) => [path, realPathOf(path)]));
}

/** Whether the home's file system finds it by its name in the other case, too. */
function foldsCase(home: string): boolean {
  const swapped = home.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));
  if (swapped === home) return process.platform === "darwin";
  try {
    const [own, other] = [lstatSync(home), lstatSync(swapped)];
    return own.ino === other.ino && own.dev === other.dev;
  } catch {
    return false;
  }
}

function deepFreeze<Value extends object>(value: Value): Value {
  const inside: readonly unknown[] = Object.values(value);
  for (const inner of inside) if (typeof inner === "object" && inner !== null) deepFreeze(inner);
  return Object.freeze(value);
}
