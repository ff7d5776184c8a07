import { describe, expect, it } from "vitest";
import type { Tier } from "@fencepost/sandbox";
import { policyOf, verdictOf } from "./policy-of.ts";

const table: readonly [path: string, tier: Tier][] = [
  ["/u/.fencepost", "hard-protected"],
  ["/u/.fencepost/quarantine/x", "hard-protected"],
  ["/u/.fencepost-old", "normal"],
  ["/u/.agents/skills/a/SKILL.md", "hard-protected"],
  ["/u/.agents/other", "normal"],
  ["/dev/sda", "hard-protected"],
  ["/w/.git/hooks", "hard-protected"],
  ["/w/.git/hooks/pre-commit", "hard-protected"],
  ["/w/.GIT/Hooks/pre-commit", "hard-protected"],
  ["/w/a/b/.git/hooks/post-merge", "hard-protected"],
  ["/w/.git/modules/lib/hooks/pre-push", "hard-protected"],
  ["/w/.git/modules/a/modules/b/hooks/x", "hard-protected"],
  ["/w/.git", "sensitive"],
  ["/w/.git/config", "sensitive"],
  ["/w/sub/.git", "sensitive"],
  ["/w/.env", "sensitive"],
  ["/w/.Env", "sensitive"],
  ["/w/.env.local", "sensitive"],
  ["/w/pkg/.envrc", "sensitive"],
  ["/w/.envdir", "sensitive"],
  ["/w/.envdir/inner", "normal"],
  ["/w/.vscode", "sensitive"],
  ["/w/.VSCode/settings.json", "sensitive"],
  ["/w/.idea/deep/er", "sensitive"],
  ["/w/.claude/settings.json", "sensitive"],
  ["/w/.codex/config.toml", "sensitive"],
  ["/w/.cursor/rules", "sensitive"],
  ["/w/.gemini/x", "sensitive"],
  ["/w/.husky/pre-commit", "sensitive"],
  ["/w/.gitconfig", "sensitive"],
  ["/w/.gitmodules", "sensitive"],
  ["/w/.bashrc", "sensitive"],
  ["/w/.bash_profile", "sensitive"],
  ["/w/.zshrc", "sensitive"],
  ["/w/.zprofile", "sensitive"],
  ["/w/x/.profile", "sensitive"],
  ["/w/.mcp.json", "sensitive"],
  ["/w/.ripgreprc", "sensitive"],
  ["/w/.github/workflows/ci.yml", "normal"],
  ["/w/foo.git/hooks/x", "normal"],
  ["/w/.zshrc.bak", "normal"],
  ["/w/.gitignore", "normal"],
  ["/w/env", "normal"],
  ["/w", "normal"],
  ["/w-evil/.env", "normal"],
  ["/tmp/.env", "normal"],
  ["/tmp/x/.git/hooks/pre-commit", "normal"],
  ["/other/.git/hooks/pre-commit", "normal"],
  ["/u/.ssh", "credential"],
  ["/u/.ssh/id_rsa", "credential"],
  ["/u/.SSH/id_rsa", "normal"],
  ["/u/.sshx", "normal"],
  ["/u/.docker/config.json", "credential"],
  ["/u/.docker/daemon.json", "normal"],
  ["/u/Library/Application Support/Google/Chrome/Default", "credential"],
  ["/u/.config/gh/hosts.yml", "credential"],
  ["/u/.config/ghost", "normal"],
];

describe("path tiers", () => {
  it.each(table)("[D-21] %s is %s", (path, tier) => {
    expect(policyOf().tier(path)).toBe(tier);
  });

  it("[P7] knows every credential path of the table, readable by nobody without a grant", () => {
    const names =
      ".ssh .aws .gnupg .kube .azure .config/gh .config/gcloud .docker/config.json .netrc .git-credentials .npmrc .pypirc .cargo/credentials.toml Library/Keychains Library/Cookies Library/Safari .cargo/credentials .pgpass .my.cnf .vault-token .password-store .local/share/keyrings .config/google-chrome .config/chromium .mozilla/firefox .config/op .config/rclone .terraform.d/credentials.tfrc.json .gem/credentials .config/containers/auth.json".split(" ");
    for (const mode of ["auto", "accept-edits"] as const) {
      for (const actor of ["bash", "file-tool"] as const) {
        const policy = policyOf({ mode });
        for (const name of [...names, "Library/Application Support/Firefox"]) {
          expect([name, verdictOf(policy, `/u/${name}`, actor), verdictOf(policy, `/u/${name}/below`, actor)]).toEqual([name, "--", "--"]);
        }
      }
    }
  });

  it("[D-22] takes ~/.SSH for ~/.ssh where the file system does", () => {
    const policy = policyOf({ environment: { foldsCase: true } });
    expect(verdictOf(policy, "/u/.SSH/id_rsa")).toBe("--");
    expect(policy.tier("/u/.FencePost/x")).toBe("hard-protected");
  });

  it("[D-24] takes the characters a file system folds into ASCII letters for those letters, and both forms of an accent", () => {
    const policy = policyOf({ additions: { sensitiveNames: ["caf\u00e9"] } });
    expect(policy.tier("/w/.ba\u017fhrc")).toBe("sensitive");
    expect(policy.tier("/w/.git/hoo\u212as/x")).toBe("hard-protected");
    expect(policy.tier("/w/.gitcon\ufb01g")).toBe("sensitive");
    expect(policy.tier("/w/CAFE\u0301/x")).toBe("sensitive");
    expect(policyOf({ environment: { foldsCase: true } }).tier("/u/.\u017fsh/id")).toBe("credential");
  });

  it("adds an embedder's names and paths, and takes none away", () => {
    const policy = policyOf({
      additions: { hardProtectedPaths: ["/srv/keys"], sensitivePaths: ["/tmp/keep"], credentialPaths: ["/srv/token"], hardProtectedNames: ["locked"], sensitiveNames: [".ours"] },
    });
    expect(["/srv/keys/a", "/tmp/keep/a", "/srv/token", "/w/a/LOCKED/b", "/w/.ours/x", "/w/.env", "/u/.ssh"].map((path) => policy.tier(path))).toEqual([
      "hard-protected",
      "sensitive",
      "credential",
      "hard-protected",
      "sensitive",
      "sensitive",
      "credential",
    ]);
  });

  it("[D-19] protects the git directories a .git file leads to, and the hooks in them", () => {
    const policy = policyOf({ environment: { gitDirs: ["/r/.git/worktrees/w", "/r/.git"] }, grants: [{ path: "/r/.git", access: "write", scope: "subtree" }] });
    expect(policy.tier("/r/.git/config")).toBe("sensitive");
    expect(policy.tier("/r/.git/hooks/pre-commit")).toBe("hard-protected");
    expect(policy.tier("/r/.git/modules/m/hooks/x")).toBe("hard-protected");
    expect(verdictOf(policy, "/r/.git/objects/aa")).toBe("rw");
    expect(verdictOf(policy, "/r/.git/hooks/pre-commit")).toBe("r-");
  });

  it("names the strictest tier, while every matching tier still counts", () => {
    const policy = policyOf({ workspaceRoot: "/u", grants: [{ path: "/u/.ssh/.env", access: "write", scope: "exact" }, { path: "/u/.ssh", access: "write", scope: "subtree" }] });
    expect(policy.tier("/u/.ssh/.env")).toBe("sensitive");
    expect(verdictOf(policy, "/u/.ssh/.env")).toBe("rw");
    expect(verdictOf(policy, "/u/.ssh/.env.local")).toBe("r-");
    expect(verdictOf(policyOf({ workspaceRoot: "/u" }), "/u/.ssh/.env")).toBe("--");
  });

  it("says of a name whether a protected path can begin there", () => {
    const policy = policyOf({ additions: { sensitiveNames: ["locked"] } });
    expect([".git", ".GIT", ".env.x", "Locked", ".vscode"].every((name) => policy.canBeginProtected(name))).toBe(true);
    expect(["src", "hooks", "git", "x.env", ".github"].some((name) => policy.canBeginProtected(name))).toBe(false);
  });
});
