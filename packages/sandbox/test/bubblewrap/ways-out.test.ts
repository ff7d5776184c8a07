import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { bubblewrapBackend, resolveEnvironment, sandboxModes, type PathGrant, type SandboxEnvironment } from "../../src/index.ts";
import { commandIn, makeWorld, run, type World } from "./world.ts";

const backend = bubblewrapBackend();
let world: World;
beforeEach(() => (world = makeWorld()));
afterEach(() => world.remove());
afterAll(() => backend.close());

const at = (path: string): string => join(world.workspace, path);
const identity = ["-c", "user.name=t", "-c", "user.email=t@t"];
const git = (directory: string, ...args: readonly string[]): string => execFileSync("git", ["-C", directory, ...identity, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
const writing = (path: string, scope: PathGrant["scope"]): PathGrant => ({ path, access: "write", scope });

/** What a session would find on this disk, in the world's places. */
function environmentOf(workspaceRoot: string): SandboxEnvironment {
  const found = resolveEnvironment({ workspaceRoot, home: world.home, stateHome: world.environment.stateHome, env: { TMPDIR: world.temp } });
  return { ...world.environment, gitDirs: found.gitDirs };
}

function repository(directory: string): void {
  mkdirSync(directory, { recursive: true });
  git(directory, "init", "-q");
  git(directory, "commit", "-q", "--allow-empty", "-m", "first");
}

describe.runIf(process.platform === "linux")("known ways out, by the kernel", () => {
  it.each(sandboxModes)("[D-15] in %s nothing is moved onto a protected name, whether that exists or not", async (mode) => {
    for (const path of [".env", ".git/hooks/pre-commit", ".vscode/settings.json"]) world.file(path);
    const targets = [".env", ".envrc", ".git/hooks/pre-commit", ".git/hooks/pre-push", ".vscode/settings.json", ".vscode/tasks.json", ".mcp.json"];
    const script = targets.map((path) => `echo evil > $TMPDIR/q; mv $TMPDIR/q ${path}; echo evil > q; mv q ${path}; mv -T q ${path}`).join("\n");
    const ran = await run(backend, commandIn(world, `${script}\nexit 1`, { policy: world.policy({ mode }) }));
    expect(ran.classify(ran.output)).toBe("denied");
    for (const path of targets) expect([path, existsSync(at(path)) ? readFileSync(at(path), "utf8") : "absent"]).toEqual([path, /^\.env$|pre-commit|settings/.test(path) ? "kept\n" : "absent"]);
  });

  it("[D-19] a worktree as a session finds it: pointer, hooks and config stay, commits need a grant of the repository", async () => {
    const main = join(world.outside, "repo");
    repository(main);
    const tree = join(world.root, "tree");
    git(main, "worktree", "add", "-q", tree);
    const environment = environmentOf(tree);
    expect(environment.gitDirs).toEqual([join(main, ".git/worktrees/tree"), join(main, ".git")]);
    const config = readFileSync(join(main, ".git/config"), "utf8");
    const attack = `echo "gitdir: /x" > .git; rm -f .git; mv .git g; echo x > '${main}/.git/hooks/pre-commit'; echo "[core] hooksPath=/x" >> '${main}/.git/config'; git config core.hooksPath /x`;
    const closed = await run(backend, commandIn(world, `git status; git log --oneline; ${attack}; git -c user.name=t -c user.email=t@t commit -q --allow-empty -m second`, { policy: world.policy({ environment, workspaceRoot: tree }), workingDirectory: tree }));
    expect(closed.output).toContain("nothing to commit");
    expect(closed.exitCode).not.toBe(0);
    expect(closed.classify(closed.output)).toBe("denied");
    const policy = world.policy({ environment, workspaceRoot: tree, grants: [writing(join(main, ".git"), "subtree")] });
    const granted = await run(backend, commandIn(world, `git -c user.name=t -c user.email=t@t commit -q --allow-empty -m second; echo $?; echo x > '${main}/.git/hooks/pre-commit'`, { policy, workingDirectory: tree }));
    expect(granted.output).toMatch(/^0\n/);
    expect(git(main, "log", "--all", "--oneline").trim().split("\n")).toHaveLength(2);
    expect(readFileSync(join(main, ".git/config"), "utf8")).toBe(config);
    expect(existsSync(join(main, ".git/hooks/pre-commit"))).toBe(false);
    expect(readFileSync(join(tree, ".git"), "utf8")).toContain("worktrees/tree");
  });

  it("[D-20] a .git file is not made to point elsewhere, and a repository that does not point back is not opened", async () => {
    const victim = join(world.outside, "victim");
    repository(victim);
    writeFileSync(at(".git"), `gitdir: ${victim}/.git\n`);
    const environment = environmentOf(world.workspace);
    expect(environment.gitDirs).toEqual([]);
    const grants = [writing(world.workspace, "subtree")];
    const script = `mkdir evil; for f in .git; do echo "gitdir: $PWD/evil" > $f; rm -f $f; mv $f g; ln -sf evil $f; done; echo x > '${victim}/.git/hooks/pre-commit'; echo x >> '${victim}/.git/config'; git commit --allow-empty -m x; exit 1`;
    const ran = await run(backend, commandIn(world, script, { policy: world.policy({ environment, grants }) }));
    expect(ran.classify(ran.output)).toBe("denied");
    expect(readFileSync(at(".git"), "utf8")).toBe(`gitdir: ${victim}/.git\n`);
    expect(existsSync(join(victim, ".git/hooks/pre-commit"))).toBe(false);
    expect(git(victim, "log", "--oneline").trim().split("\n")).toHaveLength(1);
  });

  it("[D-28] what only reads writes nothing protected either: options that name a file, editors, pagers", async () => {
    repository(world.workspace);
    for (const path of [".env", "tracked"]) world.file(path);
    const script = [
      `git diff --no-index --output=.env /dev/null tracked; git diff --no-index --output='${world.outside}/f' /dev/null tracked; git log --output=.git/hooks/pre-commit`,
      `export GIT_EDITOR='sh -c "echo evil > .env"' GIT_PAGER='sh -c "echo evil > .env"' PAGER='sh -c "echo evil > .envrc"'; git -c core.editor='echo evil > .env;' commit --allow-empty; git -p log`,
      `sort -o .env tracked; find . -maxdepth 0 -fprint .env; tar -cf .env tracked; awk 'BEGIN { print "evil" > ".env" }'; sed -n 'w .env' tracked`,
      "exit 1",
    ].join("\n");
    const ran = await run(backend, commandIn(world, script));
    expect(ran.classify(ran.output)).toBe("denied");
    expect(readFileSync(at(".env"), "utf8")).toBe("kept\n");
    for (const path of [join(world.outside, "f"), at(".envrc"), at(".git/hooks/pre-commit")]) expect(existsSync(path), path).toBe(false);
  });

  it("[D-29] a grant for one part of a command opens nothing to the other parts of it", async () => {
    mkdirSync(join(world.home, ".ssh"));
    writeFileSync(join(world.home, ".ssh/id_rsa"), "the-secret\n");
    for (const path of [".env", ".envrc"]) world.file(path);
    const grants = [writing(at(".env"), "exact")];
    const ran = await run(backend, commandIn(world, `cat ~/.ssh/id_rsa; echo new > .env; echo new > .envrc; echo x > '${world.outside}/f'; cat ~/.ssh/id_rsa && echo y > .env`, { policy: world.policy({ grants }) }));
    expect(ran.output).not.toContain("the-secret");
    expect([readFileSync(at(".env"), "utf8"), readFileSync(at(".envrc"), "utf8")]).toEqual(["new\n", "kept\n"]);
    expect(existsSync(join(world.outside, "f"))).toBe(false);
    expect(ran.classify(ran.output)).toBe("denied");
  });

  it("[D-38] [D-39] inside a sandbox that allows no other, the answer is that: nothing runs, and the reason is no refused path", () => {
    const runner = `import { runnerImport } from "vite"; await runnerImport(process.argv[1], { configFile: false, logLevel: "silent" });`;
    const outer = ["--bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-user", "--disable-userns", "--"];
    const said = execFileSync("/usr/bin/bwrap", [...outer, process.execPath, "--input-type=module", "-e", runner, fileURLToPath(new URL("probe-host.ts", import.meta.url))], { encoding: "utf8" });
    expect(JSON.parse(said)).toMatchObject({ available: false, reason: expect.stringMatching(/a sandbox that is already nested$|^this process already runs in a sandbox/), remedy: expect.stringMatching(/^Run Fencepost outside/) });
  });

  it("[D-49] 300 worktrees and 150 more closed paths start a command, and all of them stay closed", async () => {
    const main = join(world.outside, "repo");
    repository(main);
    for (let index = 0; index < 300; index += 1) {
      const name = `w${index}`;
      mkdirSync(join(main, ".git/worktrees", name), { recursive: true });
      mkdirSync(at(name));
      writeFileSync(at(`${name}/.git`), `gitdir: ${main}/.git/worktrees/${name}\n`);
      writeFileSync(join(main, ".git/worktrees", name, "gitdir"), `${at(name)}/.git\n`);
      writeFileSync(join(main, ".git/worktrees", name, "commondir"), "../..\n");
      writeFileSync(join(main, ".git/worktrees", name, "HEAD"), "ref: refs/heads/main\n");
    }
    const credentialPaths = Array.from({ length: 150 }, (_, index) => join(world.outside, `secret-${index}`));
    for (const path of credentialPaths) writeFileSync(path, "the-secret\n");
    const found = environmentOf(world.workspace);
    expect(found.gitDirs).toHaveLength(301);
    const environment = { ...found, additions: { ...found.additions, credentialPaths } };
    const ran = await run(backend, commandIn(world, `cat '${world.outside}'/secret-*; for f in w*/.git; do echo evil > $f; done 2>/dev/null; echo x > '${main}/.git/worktrees/w7/HEAD'; echo x > '${main}/.git/hooks/pre-commit'; echo begun`, { policy: world.policy({ environment }) }));
    expect(ran.output).toContain("begun");
    expect(ran.output).not.toContain("the-secret");
    for (let index = 0; index < 300; index += 1) expect(readFileSync(at(`w${index}/.git`), "utf8")).toBe(`gitdir: ${main}/.git/worktrees/w${index}\n`);
    expect(readFileSync(join(main, ".git/worktrees/w7/HEAD"), "utf8")).toBe("ref: refs/heads/main\n");
    expect(existsSync(join(main, ".git/hooks/pre-commit"))).toBe(false);
  });

  it("[D-5] a link that a command leaves widens nothing for the next one", async () => {
    await run(backend, commandIn(world, `ln -s '${world.outside}' l; ln -s '${world.home}/.ssh' k`));
    mkdirSync(join(world.home, ".ssh"));
    writeFileSync(join(world.home, ".ssh/id_rsa"), "the-secret\n");
    symlinkSync(world.outside, at("own"));
    const ran = await run(backend, commandIn(world, "echo x > l/f; echo x > own/f; cat k/id_rsa; exit 1"));
    expect(existsSync(join(world.outside, "f"))).toBe(false);
    expect(ran.output).not.toContain("the-secret");
    expect(ran.classify(ran.output)).toBe("denied");
  });
});
