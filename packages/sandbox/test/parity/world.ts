import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { resolveEnvironment, SandboxPolicy, sandboxModes, type Actor, type PathGrant, type SandboxEnvironment, type SandboxMode } from "@fencepost/sandbox";
import { ModelDisk } from "./model-disk.ts";

/** One place in the world: relative to its root, unless absolute. */
export interface Place {
  readonly path: string;
  readonly is: "file" | "directory" | "missing" | { readonly linkTo: string };
}

const long = "n".repeat(255);

/** At least one place for each rule and edge of the policy. A new rule gets a row here. */
const places: readonly Place[] = [
  // The workspace, ordinary.
  ...files("ws/src/main.ts", "ws/a file", "ws/quo'te\"d", "ws/new\nline", "ws/ümlaut", "ws/-rf", `ws/${long}`, "ws/[1]/*", "ws/foo.git/hooks/x", "ws/.github/workflows/ci.yml", "ws/.zshrc.bak", "ws/.gitignore", "ws/env"),
  ...directories("ws", "ws/src", "ws/foo.git"),
  ...missing("ws/new.ts", "ws/src/new.ts", "ws/-n", "ws/neu ü"),
  // Git, its hooks, nested repositories and submodules.
  ...files("ws/.git/config", "ws/.git/hooks/pre-commit", "ws/.git/modules/lib/config", "ws/.git/modules/lib/hooks/post-checkout", "ws/vendor/lib/.git/config", "ws/vendor/lib/.git/hooks/pre-push", "ws/sub/.git"),
  ...directories("ws/.git", "ws/.git/hooks", "ws/.git/objects", "ws/.git/modules/lib/hooks", "ws/vendor", "ws/vendor/lib", "ws/vendor/lib/.git"),
  ...missing("ws/.git/index.lock", "ws/.git/commondir", "ws/.git/hooks/pre-push", "ws/.GIT/hooks/pre-commit", "ws/src/.git", "ws/.git/modules/new/hooks/x", "ws/sub/.git.bak"),
  // Environment files, editors, shells, agents.
  ...files("ws/.env", "ws/.env.local", "ws/pkg/.envrc", "ws/.envdir/inner", "ws/.vscode/settings.json", "ws/.idea/deep/er.xml", "ws/.claude/settings.json", "ws/.husky/pre-commit", "ws/.mcp.json", "ws/.bashrc", "ws/.gitconfig"),
  ...directories("ws/.envdir", "ws/.vscode", "ws/.idea/deep", "ws/pkg"),
  ...missing("ws/.Env", "ws/pkg/.ENV.production", "ws/.VSCode/settings.json", "ws/.codex/config.toml", "ws/.cursor/x", "ws/.gemini/x", "ws/.gitmodules", "ws/.bash_profile", "ws/.zshrc", "ws/.zprofile", "ws/pkg/.profile", "ws/.ripgreprc", "ws/.envdir/new", "ws/.ba\u017fhrc"),
  // Home: credentials, our own state, skills, ordinary places.
  ...files("home/.ssh/id_rsa", "home/.ssh/config", "home/.aws/credentials", "home/.netrc", "home/.npmrc", "home/.docker/config.json", "home/.docker/daemon.json", "home/.config/gh/hosts.yml", "home/.config/other", "home/.sshx/a", "home/.cargo/credentials.toml", "home/notes.txt", "home/.bashrc"),
  ...files("home/.fencepost/state.json", "home/.agents/skills/s/SKILL.md", "home/.agents/other", "home/.fencepost-old/x", "home/.cache/tool/entry"),
  ...directories("home", "home/.ssh", "home/.aws", "home/.config", "home/.fencepost", "home/.agents/skills", "home/.cache/tool", "home/.cache"),
  ...missing("home/new.txt", "home/.ssh/new", "home/.kube/config", "home/.fencepost/new", "home/.agents/skills/new", "home/.cache/tool/new", "home/.SSH/id"),
  // The temp root and the rest of the machine.
  ...files("tmp/scratch", "tmp/.env", "tmp/r/.git/hooks/pre-commit", "outside/file", "outside/.git/hooks/pre-commit", "outside/.git/config", "outside/.env", "outside/lib/.vscode/settings.json", "ws-evil/file", "repo/.git/config", "repo/.git/hooks/pre-commit", "repo/.git/worktrees/w/HEAD", "repo/README"),
  ...directories("tmp", "outside", "ws-evil", "repo", "repo/.git"),
  ...missing("tmp/new", "tmpx", "outside/new", "repo/.git/hooks/new", "outside/granted-later", "outside/lib/.envrc", "outside/lib/.GIT/hooks/x", "outside/.git/modules/m/hooks/x", "outside/lib/new"),
  // Links: out of the workspace, into a credential directory, dangling, in a chain, a sensitive name that is one.
  ...links({ "ws/to-outside": "outside", "ws/to-key": "home/.ssh/id_rsa", "ws/to-ssh": "home/.ssh", "ws/dangling": "outside/absent", "ws/to-tmp": "tmp", "ws/chain": "ws/to-ssh", "ws/to-hooks": "ws/.git/hooks", "ws/.env.linked": "outside/file", "tmp/to-ws": "ws", "home/link-to-ws": "ws" }),
  ...files("ws/to-outside/file", "ws/to-ssh/id_rsa", "ws/chain/config", "ws/to-hooks/pre-commit", "tmp/to-ws/.env", "tmp/to-ws/src/main.ts", "home/link-to-ws/.git/config"),
  ...missing("ws/to-outside/new", "ws/to-tmp/new", "ws/to-hooks/new", "tmp/to-ws/new", "ws/to-ssh/new"),
  // Devices.
  ...files("/dev/null", "/dev/zero"),
  ...missing("/dev/fence-probe"),
];

export interface World {
  readonly root: string;
  readonly disk: ModelDisk;
  readonly environment: SandboxEnvironment;
  /** Absolute. */
  readonly places: readonly Place[];
  remove(): void;
}

/** Builds the world on the real disk, outside every temp root, under a root with a space in its name. */
export function buildWorld(): World {
  const root = mkdtempSync(join(realpathSync(userInfo().homedir), ".cache-fencepost-test world-"));
  const disk = new ModelDisk();
  const at = (path: string): string => (path.startsWith("/") ? path : join(root, path));
  disk.add(root, { is: "directory" });
  // Links first: a place below a link is a name for another place, not an entry.
  const found = places.map((place) => ({ ...place, path: at(place.path) }));
  for (const { path, is } of found) if (typeof is === "object") disk.add(path, { is: "link", to: at(is.linkTo) });
  for (const { path, is } of found) {
    if ((is === "file" || is === "directory") && disk.resolve(path, false) === path) disk.add(path, { is });
  }
  disk.build(root);
  const environment = resolveEnvironment({ workspaceRoot: at("ws"), env: { HOME: at("home"), TMPDIR: at("tmp") } });
  return {
    root,
    disk,
    environment: { ...environment, gitDirs: [at("repo/.git"), at("repo/.git/worktrees/w")] },
    places: found,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

export interface GrantSet {
  readonly name: string;
  readonly grants: readonly PathGrant[];
}

function grantSets(world: World): readonly GrantSet[] {
  const grant = (path: string, access: PathGrant["access"], scope: PathGrant["scope"]): PathGrant => ({ path: join(world.root, path), access, scope });
  return [
    { name: "none", grants: [] },
    { name: ".git write subtree", grants: [grant("ws/.git", "write", "subtree")] },
    { name: ".ssh read", grants: [grant("home/.ssh", "read", "subtree")] },
    { name: ".ssh write", grants: [grant("home/.ssh", "write", "subtree")] },
    { name: "cache write", grants: [grant("home/.cache/tool", "write", "subtree")] },
    { name: "workspace write", grants: [grant("ws", "write", "subtree")] },
    // Wider than the credential path in it: does not open that.
    { name: ".config write", grants: [grant("home/.config", "write", "subtree")] },
    { name: ".config write, gh in it read", grants: [grant("home/.config", "write", "subtree"), grant("home/.config/gh", "read", "subtree")] },
    // Names are protected in it, too.
    { name: "outside write", grants: [grant("outside", "write", "subtree")] },
    { name: "outside write, .git in it", grants: [grant("outside", "write", "subtree"), grant("outside/.git", "write", "subtree")] },
    { name: "outside .git alone", grants: [grant("outside/.git", "write", "subtree")] },
    { name: "a missing file and a file outside, exact", grants: [grant("outside/granted-later", "write", "exact"), grant("outside/file", "write", "exact")] },
    { name: ".env exact write, .aws/credentials read", grants: [grant("ws/.env", "write", "exact"), grant("home/.aws/credentials", "read", "exact")] },
  ];
}

/** One policy of the table: what all judges are asked about every place. */
export interface Setting {
  readonly name: string;
  readonly policy: SandboxPolicy;
  readonly actor: Actor;
}

export function settings(world: World, environment: SandboxEnvironment = world.environment, workspace = "ws"): readonly Setting[] {
  const actors: readonly Actor[] = ["bash", "file-tool"];
  return sandboxModes.flatMap((mode) => actors.flatMap((actor) => grantSets(world).map(({ name, grants }) => setting(world, environment, workspace, mode, actor, name, grants))));
}

function setting(world: World, environment: SandboxEnvironment, workspace: string, mode: SandboxMode, actor: Actor, name: string, grants: readonly PathGrant[]): Setting {
  const policy = new SandboxPolicy({ mode, workspaceRoot: join(world.root, workspace), grants, environment, network: "host" });
  return { name: `${workspace}, ${mode}, ${actor}, grants: ${name}`, policy, actor };
}

function files(...paths: readonly string[]): readonly Place[] {
  return paths.map((path) => ({ path, is: "file" }));
}

function directories(...paths: readonly string[]): readonly Place[] {
  return paths.map((path) => ({ path, is: "directory" }));
}

function missing(...paths: readonly string[]): readonly Place[] {
  return paths.map((path) => ({ path, is: "missing" }));
}

function links(targets: Readonly<Record<string, string>>): readonly Place[] {
  return Object.entries(targets).map(([path, linkTo]) => ({ path, is: { linkTo } }));
}
