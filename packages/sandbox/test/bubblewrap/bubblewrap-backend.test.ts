import { execFileSync } from "node:child_process";
import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { bubblewrapBackend, sandboxModes, type PathGrant } from "../../src/index.ts";
import { credentialPaths } from "../../src/policy/protected-rule.ts";
import { commandIn, makeWorld, run, type World } from "./world.ts";

const backend = bubblewrapBackend();
let world: World;
beforeEach(() => (world = makeWorld()));
afterEach(() => world.remove());
afterAll(() => backend.close());

const writing = (path: string, scope: PathGrant["scope"] = "exact"): PathGrant => ({ path, access: "write", scope });
const reading = (path: string, scope: PathGrant["scope"] = "subtree"): PathGrant => ({ path, access: "read", scope });

function git(...args: readonly string[]): string {
  return execFileSync("git", ["-C", world.workspace, "-c", "user.name=t", "-c", "user.email=t@t", ...args], { encoding: "utf8" });
}

function repository(): void {
  git("init", "-q");
  world.file("tracked.txt", "one\n");
  git("add", ".");
  git("commit", "-qm", "first");
}

function secret(path: string): string {
  const full = join(world.home, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, "the-secret\n");
  return full;
}

describe.runIf(process.platform === "linux")("commands under the kernel", () => {
  it("[P2] reads, builds and looks at git without a grant", async () => {
    repository();
    world.file("build.sh", "mkdir -p out && echo built > out/result");
    const ran = await run(backend, commandIn(world, "git status --short; git log --oneline; git diff; ls; sh build.sh && cat out/result && mkdir -p $TMPDIR/cache && cp out/result $TMPDIR/cache && sh build.sh && cmp out/result $TMPDIR/cache/result"));
    expect(ran.exitCode).toBe(0);
    expect(ran.output).toContain("built");
    expect(ran.output).toContain("first");
    expect(ran.classify(ran.output)).toBe("normal");
  });

  it.each(sandboxModes)("[P3] [D-48] in %s, git add, commit, stash and reset change nothing, and work with a grant of .git", async (mode) => {
    repository();
    world.file("tracked.txt", "two\n");
    const before = git("status", "--porcelain=v2", "--branch");
    for (const script of ["git add tracked.txt", "git commit -qam second", "git stash", "git reset --hard"]) {
      const ran = await run(backend, commandIn(world, script.replace("git ", "git -c user.name=t -c user.email=t@t "), { policy: world.policy({ mode }) }));
      expect(ran.exitCode, ran.output).not.toBe(0);
      // A refused stash says nothing at all: there are no words to judge by.
      expect(ran.classify(ran.output), ran.output).toBe(ran.output === "" ? "normal" : "denied");
    }
    expect(git("status", "--porcelain=v2", "--branch")).toBe(before);
    expect(readFileSync(join(world.workspace, "tracked.txt"), "utf8")).toBe("two\n");

    const repositoryGrant = writing(join(world.workspace, ".git"), "subtree");
    const policy = world.policy({ mode, grants: [repositoryGrant] });
    const script = "git add tracked.txt && git -c user.name=t -c user.email=t@t commit -qm second; echo $?; echo x > .git/hooks/pre-commit; echo y >> .git/hooks/pre-push.sample";
    const ran = await run(backend, commandIn(world, script, { policy }));
    expect(ran.output).toMatch(/^0\n/);
    expect(ran.violated).toBe(false);
    expect(git("log", "--oneline")).toContain("second");

    // These write the working tree, too, which in accept-edits takes a grant of its own.
    const both = world.policy({ mode, grants: [repositoryGrant, ...(mode === "auto" ? [] : [writing(world.workspace, "subtree")])] });
    for (const [command, content] of [["git -c user.name=t -c user.email=t@t stash -q", "two\n"], ["git reset -q --hard HEAD~1", "one\n"]] as const) {
      writeFileSync(join(world.workspace, "tracked.txt"), "three\n");
      const granted = await run(backend, commandIn(world, `${command}; echo $?; echo x > .git/hooks/pre-commit`, { policy: both }));
      expect(granted.output, command).toMatch(/^0\n/);
      expect(readFileSync(join(world.workspace, "tracked.txt"), "utf8")).toBe(content);
    }
    expect(git("stash", "list")).toContain("second");
    expect(git("log", "--oneline")).not.toContain("second");
    expect(existsSync(join(world.workspace, ".git/hooks/pre-commit"))).toBe(false);
    expect(readFileSync(join(world.workspace, ".git/hooks/pre-push.sample"), "utf8").endsWith("y\n")).toBe(false);
    expect(git("status", "--porcelain")).toBe("");
  });

  it("[P4] in accept-edits a command cannot write the workspace, can with a grant, and reads and temp files go on", async () => {
    const file = world.file("a.txt", "old\n");
    const policy = world.policy({ mode: "accept-edits" });
    const refused = await run(backend, commandIn(world, "echo new > a.txt", { policy }));
    expect(refused.classify(refused.output)).toBe("denied");
    expect(readFileSync(file, "utf8")).toBe("old\n");
    const others = await run(backend, commandIn(world, "cat a.txt; echo t > $TMPDIR/t && cat $TMPDIR/t", { policy }));
    expect(others.output).toBe("old\nt\n");
    const granted = await run(backend, commandIn(world, "echo new > a.txt", { policy: world.policy({ mode: "accept-edits", grants: [writing(file)] }) }));
    expect(granted.exitCode).toBe(0);
    expect(readFileSync(file, "utf8")).toBe("new\n");
  });

  it.each(sandboxModes)("[P5] [P6] [D-27] [D-28] in %s the outside is readable and not writable, whatever the command word", async (mode) => {
    writeFileSync(join(world.outside, "f"), "outside\n");
    const policy = world.policy({ mode });
    for (const word of ["echo x > $F", "echo x | tee $F", "printf x | dd of=$F", "sed -i s/o/p/ $F", "mv $F $F.moved", "rm -f $F", "ln $F $F.link", "git diff --no-index --output=$F /dev/null /etc/hostname", "chmod 777 $F", "touch $F"]) {
      const ran = await run(backend, commandIn(world, `F=${world.outside}/f; ${word}`, { policy }));
      expect(ran.exitCode, word).not.toBe(0);
      expect(ran.classify(ran.output), word).toBe("denied");
    }
    const read = await run(backend, commandIn(world, `cat ${world.outside}/f && echo ok > $TMPDIR/x`, { policy }));
    expect([read.exitCode, read.output]).toEqual([0, "outside\n"]);
    expect(readFileSync(join(world.outside, "f"), "utf8")).toBe("outside\n");
  });

  it.each(sandboxModes)("[P7] in %s credentials can neither be read nor written nor listed", async (mode) => {
    const directories = [".ssh", ".aws", ".gnupg", ".kube", ".azure", ".config/gh", ".config/gcloud", "Library/Keychains", "Library/Cookies", "Library/Safari", "Library/Application Support/Google/Chrome", "Library/Application Support/Firefox", ".password-store", ".local/share/keyrings", ".config/google-chrome", ".config/chromium", ".mozilla/firefox", ".config/op", ".config/rclone"];
    const files = [".docker/config.json", ".netrc", ".git-credentials", ".npmrc", ".pypirc", ".cargo/credentials.toml", ".cargo/credentials", ".pgpass", ".my.cnf", ".vault-token", ".terraform.d/credentials.tfrc.json", ".gem/credentials", ".config/containers/auth.json"];
    const paths = [...directories.map((path) => `${path}/inner`), ...files];
    for (const path of paths) secret(path);
    expect(paths.map((path) => join(world.home, path)).filter((path) => world.policy().tier(path) !== "credential")).toEqual([]);
    expect(credentialPaths(world.environment).filter((path) => !paths.some((other) => join(world.home, other).startsWith(path)))).toEqual([]);
    const policy = world.policy({ mode });
    const all = await run(backend, commandIn(world, paths.map((path) => `cat ~/'${path}'; cp ~/'${path}' $TMPDIR/c; head -c9 < ~/'${path}'`).join("\n"), { policy }));
    expect(all.output).not.toContain("the-secret");
    expect(all.output.match(/Permission denied/g)).toHaveLength(3 * paths.length);
    for (const path of [".ssh/inner", ".config/gh/inner", ".netrc", ".docker/config.json"]) {
      const ran = await run(backend, commandIn(world, `cat ~/${path}; cp ~/${path} $TMPDIR/c; ln ~/${path} $TMPDIR/l; echo x >> ~/${path}; chmod 777 ~/${path}; ls ~/${path.split("/")[0]}/; exit 1`, { policy }));
      expect(ran.output, path).not.toContain("the-secret");
      expect(ran.output, path).toContain("Permission denied");
      expect(ran.classify(ran.output), path).toBe("denied");
      expect(readFileSync(join(world.home, path), "utf8"), path).toBe("the-secret\n");
    }
  });

  it("[D-4] [D-11] a link to a credential, and a move of its directory, give nothing", async () => {
    secret(".ssh/id_rsa");
    secret(".aws/credentials");
    symlinkSync(join(world.home, ".ssh/id_rsa"), join(world.workspace, "key"));
    const ran = await run(backend, commandIn(world, "cat key; mv ~/.aws moved; cat moved/credentials; mv ~/.ssh ~/s"));
    expect(ran.output).not.toContain("the-secret");
    expect(existsSync(join(world.home, ".aws/credentials"))).toBe(true);
    expect(existsSync(join(world.home, ".ssh/id_rsa"))).toBe(true);
  });

  const sensitive = [
    ".env", ".env.local", ".envrc", ".gitmodules", ".gitconfig", ".bashrc", ".bash_profile", ".zshrc", ".zprofile", ".profile", ".mcp.json", ".ripgreprc", "deep/down/.env",
    ".git/config", ".vscode/settings.json", ".idea/a.xml", ".claude/settings.json", ".codex/config.toml", ".cursor/rules", ".gemini/settings.json", ".husky/pre-commit",
  ];
  it.each(sandboxModes)("[P8] [D-29] in %s sensitive files are refused, and one alone is writable with its exact grant", async (mode) => {
    for (const path of sensitive) world.file(path);
    const policy = world.policy({ mode });
    const ran = await run(backend, commandIn(world, sensitive.map((path) => `echo x >> ${path}; rm -f ${path}; mv ${path} z`).join("; "), { policy }));
    expect(ran.classify(ran.output)).toBe("denied");
    for (const path of sensitive) expect(readFileSync(join(world.workspace, path), "utf8"), path).toBe("kept\n");
    for (const path of sensitive) {
      const granted = world.policy({ mode, grants: [writing(join(world.workspace, path))] });
      await run(backend, commandIn(world, sensitive.map((other) => `echo new >> ${other}`).join("; "), { policy: granted }));
      for (const other of sensitive) expect(readFileSync(join(world.workspace, other), "utf8"), `${path} granted, ${other}`).toBe(other === path ? "kept\nnew\n" : "kept\n");
      writeFileSync(join(world.workspace, path), "kept\n");
    }
  });

  it.each(sandboxModes)("[P9] [D-8] [D-15] in %s hooks, the state home and skills stay closed, whatever is granted", async (mode) => {
    const hook = world.file(".git/hooks/pre-commit");
    const nested = world.file("vendor/lib/.git/hooks/pre-push");
    const module = world.file(".git/modules/a/b/hooks/x");
    const state = join(world.environment.stateHome, "settings");
    const skill = join(world.home, ".agents/skills/s/SKILL.md");
    for (const path of [state, skill]) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, "kept\n");
    }
    const grantSets = [[], [writing(world.workspace, "subtree")], [writing(join(world.workspace, ".git"), "subtree"), writing(join(world.workspace, "vendor/lib/.git"), "subtree")], [writing(hook), writing(nested), writing(state), writing(skill)], [writing(dirname(skill), "subtree"), writing(world.environment.stateHome, "subtree")]];
    for (const grants of grantSets) {
      const policy = world.policy({ mode, grants });
      const script = [hook, nested, module, state, skill].map((path) => `echo x > "${path}"; echo y > q; mv q "${path}"; rm -rf "${path}"; chmod 777 "${path}"`).join("\n");
      await run(backend, commandIn(world, script, { policy }));
      for (const path of [hook, nested, module, state, skill]) expect(readFileSync(path, "utf8"), path).toBe("kept\n");
    }
  });

  it("[P20] a granted cache directory is writable while the rest of home is not, in one run", async () => {
    const cache = join(world.home, ".cache/tool");
    mkdirSync(cache, { recursive: true });
    const policy = world.policy({ grants: [writing(cache, "subtree")] });
    const ran = await run(backend, commandIn(world, "mkdir ~/.cache/tool/d && echo x > ~/.cache/tool/d/f; echo y > ~/.cache/y; echo z > ~/z", { policy }));
    expect(readFileSync(join(cache, "d/f"), "utf8")).toBe("x\n");
    expect(existsSync(join(world.home, ".cache/y"))).toBe(false);
    expect(existsSync(join(world.home, "z"))).toBe(false);
    expect(ran.classify(ran.output)).toBe("denied");
  });

  it("[P21] a read grant of .ssh opens reading alone, and hooks stay closed; of one key, that key alone", async () => {
    secret(".ssh/id_rsa");
    writeFileSync(join(world.home, ".ssh/other"), "other-secret\n");
    world.file(".git/hooks/pre-commit");
    const whole = await run(backend, commandIn(world, "cat ~/.ssh/id_rsa; echo x > ~/.ssh/id_rsa; echo x > ~/.ssh/n; echo x > .git/hooks/pre-commit", { policy: world.policy({ grants: [reading(join(world.home, ".ssh"))] }) }));
    expect(whole.output).toContain("the-secret");
    expect(readFileSync(join(world.home, ".ssh/id_rsa"), "utf8")).toBe("the-secret\n");
    expect(existsSync(join(world.home, ".ssh/n"))).toBe(false);
    expect(readFileSync(join(world.workspace, ".git/hooks/pre-commit"), "utf8")).toBe("kept\n");
    const one = await run(backend, commandIn(world, "cat ~/.ssh/id_rsa; cat ~/.ssh/other; ls ~/.ssh; echo x > ~/.ssh/n", { policy: world.policy({ grants: [reading(join(world.home, ".ssh/id_rsa"), "exact")] }) }));
    expect(one.output).toContain("the-secret");
    expect(one.output).toContain("other: Permission denied");
    expect(one.output).not.toContain("other-secret");
  });

  it.each(["home", "above"] as const)("[P49] [D-58] a workspace that is %s home is read-only for commands", async (where) => {
    writeFileSync(join(world.home, "f"), "kept\n");
    const workspaceRoot = where === "home" ? world.home : world.root;
    for (const mode of sandboxModes) {
      const ran = await run(backend, commandIn(world, `echo x > ${world.home}/f; echo x > ${world.home}/new`, { policy: world.policy({ mode, workspaceRoot }), workingDirectory: world.home }));
      expect(ran.classify(ran.output)).toBe("denied");
      expect(readFileSync(join(world.home, "f"), "utf8")).toBe("kept\n");
      expect(existsSync(join(world.home, "new"))).toBe(false);
    }
  });

  it("[D-25] a hard link to an outside file cannot be made", async () => {
    writeFileSync(join(world.outside, "f"), "kept\n");
    const ran = await run(backend, commandIn(world, `ln ${world.outside}/f h; echo x >> h`));
    expect(ran.output).toMatch(/Invalid cross-device link/);
    expect(ran.classify("ln: Invalid cross-device link")).toBe("normal");
    expect(readFileSync(join(world.outside, "f"), "utf8")).toBe("kept\n");
  });

  it("[D-47] directories without anything protected are made, moved and removed as ever, across protected neighbours", async () => {
    world.file("pkg/a/.env");
    const ran = await run(backend, commandIn(world, "mkdir d && rmdir d && mkdir -p d/e && mv d f && rm -rf f && echo x > pkg/a/x && mv pkg/a/x pkg/y && mkdir pkg/b && mv pkg/y pkg/b && rm -r pkg/b && ls pkg/a"));
    expect([ran.exitCode, ran.output]).toEqual([0, ""]);
    const pinned = await run(backend, commandIn(world, "mv pkg pkg2; mkdir -p pkg/a; echo evil > pkg/a/.env"));
    expect(pinned.classify(pinned.output)).toBe("denied");
    expect(readFileSync(join(world.workspace, "pkg/a/.env"), "utf8")).toBe("kept\n");
  });

  it("[D-17] a .git that is a link is not replaced, and what it leads to is not written", async () => {
    const store = world.file("store/hooks/pre-commit");
    world.file("store/config");
    symlinkSync(join(world.workspace, "store"), join(world.workspace, ".git"));
    const environment = { ...world.environment, gitDirs: [join(world.workspace, "store")] };
    const ran = await run(backend, commandIn(world, "echo x > .git/hooks/pre-commit; echo y > store/config; rm .git; mkdir -p .git/hooks; echo z > .git/hooks/pre-commit", { policy: world.policy({ environment }) }));
    expect(ran.violated).toBe(true);
    expect(readFileSync(store, "utf8")).toBe("kept\n");
    expect(readFileSync(join(world.workspace, ".git/hooks/pre-commit"), "utf8")).toBe("kept\n");
    expect(readFileSync(join(world.workspace, "store/config"), "utf8")).toBe("kept\n");
  });

  it("[D-19] in a worktree the pointer and the repository's hooks and config are closed, and a grant of it allows commits", async () => {
    const main = join(world.outside, "repo");
    execFileSync("git", ["init", "-q", main]);
    execFileSync("git", ["-C", main, "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "--allow-empty", "-m", "first"]);
    const tree = join(world.root, "tree");
    execFileSync("git", ["-C", main, "worktree", "add", "-q", tree], { stdio: "ignore" });
    const gitDirs = [join(main, ".git/worktrees/tree"), join(main, ".git")];
    const environment = { ...world.environment, gitDirs };
    const closed = await run(backend, commandIn(world, `git status && echo gitdir: /x > .git; echo x > ${main}/.git/hooks/pre-commit; echo x >> ${main}/.git/config`, { policy: world.policy({ environment, workspaceRoot: tree }), workingDirectory: tree }));
    expect(closed.output).toContain("nothing to commit");
    expect(readFileSync(join(tree, ".git"), "utf8")).toContain("worktrees/tree");
    const grants = [writing(join(main, ".git"), "subtree")];
    const script = `git -c user.name=t -c user.email=t@t commit -q --allow-empty -m second; echo $?; echo x > ${main}/.git/hooks/pre-commit`;
    const granted = await run(backend, commandIn(world, script, { policy: world.policy({ environment, workspaceRoot: tree, grants }), workingDirectory: tree }));
    expect(granted.output).toMatch(/^0\n/);
    expect(existsSync(join(main, ".git/hooks/pre-commit"))).toBe(false);
  });

  it("[D-52] a working directory elsewhere widens nothing", async () => {
    for (const workingDirectory of [world.home, "/", world.outside]) {
      const ran = await run(backend, commandIn(world, "echo x > ./fence-probe; pwd", { workingDirectory }));
      expect(ran.classify(ran.output)).toBe("normal");
      expect(ran.output).toMatch(/Read-only file system|Permission denied/);
      expect(existsSync(join(workingDirectory, "fence-probe"))).toBe(false);
    }
  });

  it("[D-51] what a command prints and its exit code are its own", async () => {
    const ran = await run(backend, commandIn(world, "echo err >&2; echo bwrap: no >&2; exit 1"));
    expect([ran.ran, ran.exitCode, ran.output]).toEqual([true, 1, "err\nbwrap: no\n"]);
    expect(ran.classify(ran.output)).toBe("normal");
  });

  it("an existing protected file with another name is put back through both", async () => {
    const env = world.file(".env");
    linkSync(env, join(world.workspace, "other"));
    const ran = await run(backend, commandIn(world, "echo evil > other"));
    expect(ran.violated).toBe(true);
    expect(ran.classify(ran.output)).toBe("denied");
    expect(readFileSync(env, "utf8")).toBe("kept\n");
    expect(readFileSync(join(world.workspace, "other"), "utf8")).toBe("kept\n");
  });
});
