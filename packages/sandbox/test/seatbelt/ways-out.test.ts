import { describe, expect, it } from "vitest";
import { allows, parseProfile, type CaseRule, type Syscall } from "@fencepost/profile-evaluator";
import type { SandboxPolicy } from "@fencepost/sandbox";
import { seatbeltProfile } from "../../src/seatbelt/profile.ts";
import { grant, policyOf, type Places } from "../policy/policy-of.ts";

/** Ways out of other sandboxes, asked of the evaluator. Paths are the kernel's: it has followed the links by then. */
const may = (places: Places = {}, existing: readonly string[] = [], caseRule: CaseRule = "exact") => {
  const policy: SandboxPolicy = policyOf({ ...places, environment: { platform: "darwin", ...places.environment } });
  const { text, parameters } = seatbeltProfile(policy, "bash", existing);
  const profile = parseProfile(text, parameters);
  return (syscall: Syscall): boolean => allows(profile, syscall, caseRule);
};

const modes = ["auto", "accept-edits"] as const;
const writes = (path: string): readonly Syscall[] => [
  { call: "open-append", path },
  { call: "create", path },
  { call: "unlink", path },
  { call: "chmod", path },
  { call: "rename", from: "/w/q", to: path },
  { call: "rename", from: path, to: "/w/q" },
  { call: "link", from: path, to: "/w/q" },
];
const none = (ask: (syscall: Syscall) => boolean, syscalls: readonly Syscall[]): void => {
  for (const syscall of syscalls) expect([syscall, ask(syscall)]).toEqual([syscall, false]);
};

describe("known ways out, by the profile", () => {
  it("[D-4] [D-30] a link to a credential leads to where it is refused, by every call that reads or lists", () => {
    for (const mode of modes) {
      const ask = may({ mode });
      expect(ask({ call: "symlink", at: "/w/k" })).toBe(mode === "auto");
      for (const path of ["/u/.ssh", "/u/.ssh/id_rsa", "/u/.aws/credentials"]) none(ask, [{ call: "open-read", path }, { call: "list", path }, ...writes(path)]);
    }
  });

  it("[D-17] a .git that is a link is neither replaced nor written where it leads", () => {
    const ask = may({ environment: { gitDirs: ["/w/store"] } }, ["/w/.git", "/w/store"]);
    none(ask, [...writes("/w/.git"), ...writes("/w/.git/hooks"), ...writes("/w/.git/hooks/pre-commit"), ...writes("/w/store/config"), ...writes("/w/store/hooks/pre-commit"), { call: "mkdir", path: "/w/.git/hooks" }]);
  });

  it("[D-19] in a worktree the pointer and the repository are closed, and a grant of it opens all but the hooks", () => {
    const environment = { gitDirs: ["/r/.git/worktrees/w", "/r/.git"] };
    none(may({ environment }), [...writes("/w/.git"), ...writes("/r/.git/hooks/pre-commit"), ...writes("/r/.git/config"), ...writes("/r/.git/worktrees/w/HEAD")]);
    const granted = may({ environment, grants: [grant("/r/.git")] });
    for (const path of ["/r/.git/worktrees/w/index.lock", "/r/.git/objects/aa/b", "/r/.git/refs/heads/main.lock"]) expect(granted({ call: "create", path })).toBe(true);
    none(granted, [...writes("/r/.git/hooks/pre-commit"), ...writes("/w/.git")]);
  });

  it("[D-20] a .git file is not made to point elsewhere, and what it names is not opened", () => {
    none(may({ environment: { gitDirs: [] } }, ["/w/.git"]), [...writes("/w/.git"), ...writes("/evil/hooks/pre-commit")]);
  });

  it("[D-21] protected names are refused in any case", () => {
    none(may(), ["/w/.GIT/hooks/pre-commit", "/w/.Git", "/w/.Env", "/w/a/.ENVRC", "/w/.VSCode/settings.json", "/w/.Git/MODULES/m/Hooks/x"].flatMap(writes));
  });

  it("[D-22] a credential is refused under its name in another case where the file system takes both for one", () => {
    none(may({ environment: { foldsCase: true } }, [], "folded"), [{ call: "open-read", path: "/u/.SSH/id_rsa" }, { call: "list", path: "/U/.Ssh" }, ...writes("/u/.SSH/id_rsa")]);
  });

  it("[D-29] a grant names paths: beside it everything stays as closed as it was", () => {
    const ask = may({ grants: [grant("/w/.env", "write", "exact"), grant("/w/.git")] });
    expect([ask({ call: "open-append", path: "/w/.env" }), ask({ call: "create", path: "/w/.git/index.lock" })]).toEqual([true, true]);
    none(ask, [{ call: "open-read", path: "/u/.ssh/id_rsa" }, ...writes("/w/.envrc"), ...writes("/w/.env.local"), ...writes("/w/.git/hooks/pre-push"), ...writes("/out/f")]);
  });

  it("[D-49] 300 worktrees and 150 more closed paths make a profile of an ordinary size", () => {
    const gitDirs = [...Array.from({ length: 300 }, (_, index) => `/r/.git/worktrees/w${index}`), "/r/.git"];
    const credentialPaths = Array.from({ length: 150 }, (_, index) => `/srv/secret-${index}`);
    const policy = policyOf({ environment: { platform: "darwin", gitDirs }, additions: { credentialPaths } });
    const { text, parameters } = seatbeltProfile(policy, "bash");
    expect(text.length + JSON.stringify(parameters).length).toBeLessThan(256 * 1024);
    const profile = parseProfile(text, parameters);
    expect(allows(profile, { call: "open-read", path: "/srv/secret-149/x" })).toBe(false);
    expect(allows(profile, { call: "create", path: "/r/.git/worktrees/w299/HEAD" })).toBe(false);
    expect(allows(profile, { call: "create", path: "/w/a" })).toBe(true);
  });

  it("[D-58] a workspace that is home, or above it, is not writable in either mode, temp roots are", () => {
    for (const mode of modes) {
      for (const workspaceRoot of ["/u", "/"]) {
        const ask = may({ mode, workspaceRoot });
        none(ask, ["/u/f", "/u/src/a", "/u/.bashrc", "/etc/x"].flatMap(writes));
        expect(ask({ call: "create", path: "/tmp/a" })).toBe(true);
      }
    }
  });
});
