import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { canonicalWorkspace, resolveEnvironment, SandboxPolicy } from "@fencepost/sandbox";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(realpathSync(userInfo().homedir), ".cache-fencepost-test-")));
  for (const name of ["home", "ws", "tmp"]) mkdirSync(join(root, name));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const at = (...names: string[]): string => join(root, ...names);
const resolved = (env: Record<string, string> = {}): ReturnType<typeof resolveEnvironment> =>
  resolveEnvironment({ workspaceRoot: at("ws"), env: { HOME: at("home"), ...env } });

const git = (cwd: string, ...args: string[]): void => {
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "protocol.file.allow=always", ...args], { cwd, stdio: "ignore" });
};
const gitDirs = (workspaceRoot = at("ws")): readonly string[] => resolveEnvironment({ workspaceRoot, env: { HOME: at("home") } }).gitDirs.filter((path) => path.startsWith(root));

describe("resolveEnvironment", () => {
  it("takes home from $HOME, resolved, and keeps the credentials of the passwd home too", () => {
    symlinkSync(at("home"), at("link"));
    const environment = resolved({ HOME: at("link") });
    expect(environment.home).toBe(at("home"));
    expect(environment.credentialHomes).toEqual([at("home"), realpathSync(userInfo().homedir)]);
    expect(environment.stateHome).toBe(at("home", ".fencepost"));
    expect(environment.skillRoots).toEqual([at("home", ".agents/skills")]);
  });

  it("falls back to the passwd home where $HOME is missing, relative or no directory", () => {
    for (const HOME of ["", "relative", at("absent")]) expect(resolved({ HOME }).home).toBe(realpathSync(userInfo().homedir));
  });

  it("has /tmp and $TMPDIR as temp roots, $TMPDIR last, once each, and no variable moves the state home", () => {
    const environment = resolved({ TMPDIR: at("tmp"), FENCEPOST_HOME: "/tmp/x" });
    expect(environment.tempRoots).toEqual([realpathSync("/tmp"), at("tmp")]);
    expect(environment.stateHome).toBe(at("home", ".fencepost"));
    expect(resolved({ TMPDIR: "/tmp/" }).tempRoots).toEqual([realpathSync("/tmp")]);
    expect(resolved({ TMPDIR: at("absent") }).tempRoots).toEqual([realpathSync("/tmp")]);
  });

  it("ignores a temp root that is or holds /, home, the state home or a credential path", () => {
    for (const TMPDIR of ["/", at("home"), root, "/dev/shm"]) expect(resolved({ TMPDIR }).tempRoots).toEqual([realpathSync("/tmp")]);
    const state = resolveEnvironment({ workspaceRoot: at("ws"), env: { HOME: at("home"), TMPDIR: at("tmp") }, stateHome: at("tmp", "state") });
    expect(state.tempRoots).toEqual([realpathSync("/tmp")]);
    mkdirSync(at("home", ".config"));
    expect(resolved({ TMPDIR: at("home", ".config") }).tempRoots).toEqual([realpathSync("/tmp")]);
  });

  it("[D-4] protects where a credential path, a skill root or the state home leads, and the link's own name", () => {
    mkdirSync(at("secrets"));
    mkdirSync(at("home", ".agents"));
    mkdirSync(at("skills"));
    symlinkSync(at("secrets"), at("home", ".ssh"));
    symlinkSync(at("skills"), at("home", ".agents/skills"));
    const policy = new SandboxPolicy({ mode: "auto", workspaceRoot: at("ws"), grants: [], network: "host", environment: resolved() });
    expect(["secrets/id", "home/.ssh", "skills/a", "home/.agents/skills"].map((path) => policy.tier(at(path)))).toEqual(["credential", "credential", "hard-protected", "hard-protected"]);
  });

  it("is frozen through and through", () => {
    const environment = resolved();
    expect(() => Object.assign(environment.tempRoots, { 0: "/" })).toThrow(TypeError);
    expect(() => Object.assign(environment.additions.credentialPaths, { 0: "/" })).toThrow(TypeError);
  });
});

describe("git directories", () => {
  it("[D-19] believes a real worktree and finds its common directory", () => {
    mkdirSync(at("repo"));
    git(at("repo"), "init", "-q");
    git(at("repo"), "commit", "-q", "--allow-empty", "-m", "x");
    git(at("repo"), "worktree", "add", "-q", at("ws", "tree"));
    expect(gitDirs()).toEqual([at("repo/.git/worktrees/tree"), at("repo/.git")]);
    expect(gitDirs(at("ws", "tree"))).toEqual([at("repo/.git/worktrees/tree"), at("repo/.git")]);
  });

  it("believes a submodule opened on its own", () => {
    for (const name of ["lib", "repo"]) {
      mkdirSync(at(name));
      git(at(name), "init", "-q");
      git(at(name), "commit", "-q", "--allow-empty", "-m", "x");
    }
    git(at("repo"), "submodule", "add", "-q", at("lib"), "sub");
    expect(gitDirs(at("repo", "sub"))).toEqual([at("repo/.git/modules/sub")]);
    expect(gitDirs(at("repo"))).toEqual([]);
  });

  it("[D-20] is not led astray by a .git file whose target does not point back", () => {
    mkdirSync(at("home", "victim"));
    writeFileSync(at("ws", ".git"), `gitdir: ${at("home", "victim")}\n`);
    expect(gitDirs()).toEqual([]);
    writeFileSync(at("home", "victim", "gitdir"), `${at("elsewhere", ".git")}\n`);
    expect(gitDirs()).toEqual([]);
  });

  it("[D-20] does not believe a common directory that the git directory does not lie in", () => {
    mkdirSync(at("evil", "worktrees", "w"), { recursive: true });
    writeFileSync(at("ws", ".git"), `gitdir: ${at("evil/worktrees/w")}\n`);
    writeFileSync(at("evil/worktrees/w/gitdir"), `${at("ws", ".git")}\n`);
    writeFileSync(at("evil/worktrees/w/commondir"), `${at("home")}\n`);
    expect(gitDirs()).toEqual([at("evil/worktrees/w")]);
  });

  it("[D-17] protects the git directory that a .git link or file in the workspace leads to, inside it", () => {
    git(at("ws"), "init", "-q", "--separate-git-dir", at("ws", "store"));
    expect(gitDirs()).toEqual([at("ws", "store")]);
    rmSync(at("ws", ".git"));
    symlinkSync("store", at("ws", ".git"));
    expect(gitDirs()).toEqual([at("ws", "store")]);
  });

  it("[D-17] [D-19] finds what lies deeper in the workspace, and not in packages of others", () => {
    mkdirSync(at("ws", "packages/group/name"), { recursive: true });
    git(at("ws", "packages/group/name"), "init", "-q", "--separate-git-dir", at("ws", "packages/store"));
    mkdirSync(at("repo"));
    git(at("repo"), "init", "-q");
    git(at("repo"), "commit", "-q", "--allow-empty", "-m", "x");
    git(at("repo"), "worktree", "add", "-q", at("ws", "trees/a"));
    mkdirSync(at("ws", "node_modules/x"), { recursive: true });
    writeFileSync(at("ws", "node_modules/x/.git"), `gitdir: ${at("ws", "packages/store")}\n`);
    expect(gitDirs().toSorted()).toEqual([at("repo/.git"), at("repo/.git/worktrees/a"), at("ws", "packages/store")].toSorted());
  });

  it("[D-17] [D-20] finds what git finds: through line breaks at the end, a link to a pointer, and a HEAD that is a link", () => {
    git(at("ws"), "init", "-q", "--separate-git-dir", at("ws", "store"));
    rmSync(at("ws", "store/HEAD"));
    symlinkSync("refs/heads/main", at("ws", "store/HEAD"));
    writeFileSync(at("ws", ".git"), `gitdir: ${at("ws", "store")}\n\n`);
    expect(gitDirs()).toEqual([at("ws", "store")]);
    renameSync(at("ws", ".git"), at("ws", "pointer"));
    symlinkSync("pointer", at("ws", ".git"));
    expect(gitDirs()).toEqual([at("ws", "store")]);
  });

  it("finds the repository that the workspace is a part of, and does not wait for a FIFO", () => {
    git(at("ws"), "init", "-q");
    mkdirSync(at("ws", "pkg", "a"), { recursive: true });
    expect(gitDirs(at("ws", "pkg", "a"))).toEqual([at("ws", ".git")]);
    execFileSync("mkfifo", [at("home", ".git")]);
    expect(gitDirs(at("home"))).toEqual([]);
  });
});

describe("canonicalWorkspace", () => {
  it("resolves links and says in one clause what cannot be a workspace", () => {
    symlinkSync(at("ws"), at("link"));
    writeFileSync(at("file"), "");
    expect(canonicalWorkspace(at("link"))).toEqual({ path: at("ws") });
    expect(canonicalWorkspace(at("absent"))).toEqual({ error: `the workspace ${at("absent")} does not exist or cannot be entered` });
    expect(canonicalWorkspace(at("file"))).toEqual({ error: `the workspace ${at("file")} is not a directory` });
    expect(canonicalWorkspace("a\0b")).toEqual({ error: "the workspace path contains a NUL character" });
  });

  it("[D-4] [D-17] protects where protected names lead that are links: every link on the way, and an end that is not there yet", () => {
    mkdirSync(at("ws", "config"));
    mkdirSync(at("ws", "releases/1"), { recursive: true });
    mkdirSync(at("ws", "ordinary"));
    mkdirSync(at("ws", ".git/hooks"), { recursive: true });
    for (const name of ["config/local.env", "releases/1/envrc"]) writeFileSync(at("ws", name), "");
    const links = { ".env": "config/local.env", ".vscode": "newdir", ".envrc": "current/envrc", current: "releases/1", ".env.d": "ordinary", ".husky": "..", ".idea": ".idea", ".claude": at("home"), ".git/hooks/pre-push": "../../push.sh" };
    for (const [name, target] of Object.entries(links)) symlinkSync(target, at("ws", name));
    const policy = new SandboxPolicy({ mode: "auto", workspaceRoot: at("ws"), grants: [], network: "host", environment: resolved() });
    const tiers = Object.fromEntries(["config/local.env", "newdir", "newdir/tasks.json", "current", "releases/1/envrc", "ordinary", "push.sh", "config/x", "releases/1/x", "ordinary/x", "src"].map((name) => [name, policy.tier(at("ws", name))]));
    expect(tiers).toEqual({
      "config/local.env": "sensitive",
      newdir: "sensitive",
      "newdir/tasks.json": "sensitive",
      current: "sensitive",
      "releases/1/envrc": "sensitive",
      ordinary: "sensitive",
      "push.sh": "hard-protected",
      "config/x": "normal",
      "releases/1/x": "normal",
      "ordinary/x": "normal",
      src: "normal",
    });
    expect(policy.tier(at("home", "notes"))).toBe("normal");
    expect(policy.withGrants([{ path: at("ws", "config/local.env"), access: "write", scope: "exact" }]).check(at("ws", "config/local.env"), "write", "bash")).toEqual({ allowed: true });
  });
});
