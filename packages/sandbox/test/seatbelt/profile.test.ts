import { describe, expect, it } from "vitest";
import { allows, disputedPoints, parseProfile, type Syscall } from "@fencepost/profile-evaluator";
import type { SandboxPolicy } from "@fencepost/sandbox";
import { seatbeltProfile } from "../../src/seatbelt/profile.ts";
import { maxPathBytes, UnusablePathError } from "../../src/seatbelt/parameters.ts";
import { grant, policyOf, type Places } from "../policy/policy-of.ts";

const compile = (policy: SandboxPolicy, existing: readonly string[] = []) => {
  const { text, parameters } = seatbeltProfile(policy, "bash", existing);
  const profile = parseProfile(text, parameters);
  return { text, parameters, disputed: disputedPoints(profile), may: (syscall: Syscall) => allows(profile, syscall) };
};
const macPolicy = (places: Places = {}): SandboxPolicy => policyOf({ ...places, environment: { platform: "darwin", ...places.environment } });

describe("the profile's text", () => {
  it("[D-33] holds no path: they travel as parameters, and a path that looks like a rule stays a path", () => {
    const workspaceRoot = '/w a") (allow file-write* (subpath "/etc';
    const { text, parameters, may } = compile(macPolicy({ workspaceRoot }));
    expect(text).not.toMatch(/[^#]"\/|\/w a|\/u\/|\/tmp|\/dev/);
    expect(Object.keys(parameters).every((name) => /^P\d+$/.test(name))).toBe(true);
    expect([may({ call: "create", path: `${workspaceRoot}/x` }), may({ call: "create", path: "/etc/x" })]).toEqual([true, false]);
  });

  it("[D-33] refuses a path that is not in the kernel's form or too long", () => {
    for (const path of ["/tmp/../etc", "/tmp/", "relative", "/a//b", `/${"n".repeat(maxPathBytes)}`]) {
      expect(() => seatbeltProfile(macPolicy({ environment: { tempRoots: [path] } }), "bash")).toThrow(UnusablePathError);
    }
    const deep = `/w${"/d".repeat(300)}/.git`;
    expect(() => seatbeltProfile(macPolicy({ workspaceRoot: deep }), "bash")).toThrow(UnusablePathError);
  });

  it("[D-35] [D-37] stays where accounts of the language agree, and denies writing once and first", () => {
    const { text, disputed } = compile(macPolicy({ grants: [grant("/w/.git"), grant("/u/.ssh", "read"), grant("/opt/a", "write", "exact")] }), ["/w/a/.env"]);
    expect(disputed).toEqual([]);
    expect(text.match(/\(deny file-write\*/g)).toHaveLength(1);
    expect(text).toMatch(/^\(version 1\)\n\(allow default\)\n\(deny file-write\*\)\n/);
    expect(text).not.toMatch(/\(\?i\)|vnode-type|\\/);
  });

  it("[P11] says nothing of the network unless it is asked to close it", () => {
    expect(compile(macPolicy()).text).not.toMatch(/network/);
    const closed = compile(macPolicy({ network: "none" }));
    expect(closed.text).toMatch(/\(deny network\*\)/);
    expect(closed.may({ call: "connect", path: "/var/run/x" })).toBe(false);
    expect(closed.disputed).toEqual([]);
  });

  it("is the same for the same policy", () => {
    const policy = macPolicy({ grants: [grant("/w/.git")] });
    expect(seatbeltProfile(policy, "bash", ["/w/b/.env", "/w/a/.env"])).toEqual(seatbeltProfile(policy, "bash", ["/w/a/.env", "/w/b/.env"]));
  });

  it("reads as expected", () => {
    expect(seatbeltProfile(macPolicy({ workspaceRoot: "/w", grants: [grant("/w/.env", "write", "exact")] }), "bash", ["/w/pkg/.env"]).text).toMatchSnapshot();
  });
});

describe("what it lets a command do", () => {
  it("[D-27] [D-47] ordinary work, and nothing outside whatever the program", () => {
    const { may } = compile(macPolicy());
    for (const syscall of [
      { call: "mkdir", path: "/w/d" },
      { call: "rmdir", path: "/w/d" },
      { call: "rename", from: "/w/d", to: "/w/e" },
      { call: "link", from: "/w/a", to: "/w/b" },
      { call: "symlink", at: "/w/l" },
      { call: "chmod", path: "/w/a" },
      { call: "exec", path: "/bin/ls" },
    ] satisfies Syscall[]) {
      expect(may(syscall)).toBe(true);
    }
    for (const call of ["create", "open-append", "unlink", "chmod", "chown", "utimes", "setxattr", "mkdir"] as const) expect(may({ call, path: "/out/f" })).toBe(false);
  });

  it("[D-6] [D-7] [D-8] [D-10] [D-15] [D-28] refuses protected names, also new ones at any depth, by whatever call", () => {
    const { may } = compile(macPolicy());
    for (const path of ["/w/.envrc", "/w/.git/config.worktree", "/w/.git/commondir", "/w/.git/hooks", "/w/vendor/lib/.git/hooks/pre-commit", "/w/n/.git", "/w/.ENV"]) {
      expect(may({ call: "create", path })).toBe(false);
      expect(may({ call: "rename", from: "/w/q", to: path })).toBe(false);
      expect(may({ call: "link", from: "/w/q", to: path })).toBe(false);
      expect(may({ call: "symlink", at: path })).toBe(false);
    }
  });

  it("[D-11] does not let a credential directory be moved away and read elsewhere", () => {
    for (const grants of [[], [grant("/u/.config")]]) {
      const { may } = compile(macPolicy({ grants }));
      expect(may({ call: "rename", from: "/u/.aws", to: "/w/m" })).toBe(false);
      expect(may({ call: "rename", from: "/u/.config/gh", to: "/w/m" })).toBe(false);
      expect(may({ call: "open-read", path: "/u/.aws/credentials" })).toBe(false);
    }
  });

  it("[D-25] makes no link to what it may not write", () => {
    const { may } = compile(macPolicy());
    expect(may({ call: "link", from: "/out/f", to: "/w/h" })).toBe(false);
    expect(may({ call: "link", from: "/w/.env", to: "/w/h" })).toBe(false);
    expect(may({ call: "link", from: "/w/a", to: "/out/h" })).toBe(false);
  });

  it("[D-45] starts nothing outside the sandbox", () => {
    const { may } = compile(macPolicy());
    expect([may({ call: "launch" }), may({ call: "send-event" })]).toEqual([false, false]);
  });

  it("pins the directories above a protected path, because a rename asks about nothing in them", () => {
    const { may, disputed } = compile(macPolicy(), ["/w/pkg/a/.env", "/w/.git"]);
    for (const path of ["/w/pkg", "/w/pkg/a", "/w"]) expect([path, may({ call: "rename", from: path, to: "/w/moved" })]).toEqual([path, false]);
    expect(may({ call: "rename", from: "/w/other", to: "/w/moved" })).toBe(true);
    expect(may({ call: "create", path: "/w/pkg/a/new" })).toBe(true);
    expect(disputed).toEqual([]);
  });

  it("pins the workspace itself where it lies in a temp root, and what leads to it", () => {
    const { may } = compile(macPolicy({ workspaceRoot: "/tmp/a/ws" }));
    expect([may({ call: "rename", from: "/tmp/a/ws", to: "/tmp/b" }), may({ call: "rename", from: "/tmp/a", to: "/tmp/b" }), may({ call: "rename", from: "/tmp/c", to: "/tmp/b" })]).toEqual([false, false, true]);
  });

  it("[D-48] [P9] opens .git to a grant that names it, and not the hooks, nor the way round by renaming", () => {
    const { may } = compile(macPolicy({ grants: [grant("/w/.git")] }), ["/w/.git/hooks"]);
    expect(may({ call: "create", path: "/w/.git/index.lock" })).toBe(true);
    expect(may({ call: "create", path: "/w/.git/hooks/pre-commit" })).toBe(false);
    expect(may({ call: "rename", from: "/w/.git", to: "/w/x" })).toBe(false);
    expect(may({ call: "rename", from: "/w/.git/hooks", to: "/w/x" })).toBe(false);
  });

  it("[D-1] [D-34] keeps to whole segments and lets the stricter of two rules win", () => {
    const { may } = compile(macPolicy({ workspaceRoot: "/x/app", environment: { tempRoots: ["/private/tmp", "/private/var/folders/a/T"] }, additions: { hardProtectedPaths: ["/private/tmp/kept"] } }));
    expect(may({ call: "create", path: "/x/app-evil/f" })).toBe(false);
    expect(may({ call: "create", path: "/private/var/folders/a/T/f" })).toBe(true);
    expect(may({ call: "create", path: "/private/tmp/kept/f" })).toBe(false);
  });

  it("[D-24] refuses the spellings that a Mac's file system takes for a protected name", () => {
    const { may } = compile(macPolicy({ additions: { sensitiveNames: ["caf\u00e9", "office", "first"] } }));
    for (const name of [".ba\u017fhrc", ".h\u0055\u017f\u212ay", ".gitcon\ufb01g", ".g\u0131t", "CAFE\u0301", "cafe\u0301", "of\ufb01ce", "o\ufb03ce", "o\ufb00ice", "fir\ufb05", "fir\ufb06", "\ufb01r\u017ft"]) {
      expect([name, may({ call: "create", path: `/w/${name}` })]).toEqual([name, false]);
    }
  });

  it("[D-32] [P53] takes nothing in a name for a pattern", () => {
    const workspaceRoot = "/w [1]*?(+)'\"\\\n.git";
    const { may } = compile(macPolicy({ workspaceRoot, additions: { sensitiveNames: ["a.b+c", 'q"[x]'] } }));
    expect(may({ call: "create", path: `${workspaceRoot}/-rf` })).toBe(true);
    expect(may({ call: "create", path: `${workspaceRoot}/.env` })).toBe(false);
    expect(may({ call: "create", path: `${workspaceRoot}/axb+c` })).toBe(true);
    expect(may({ call: "create", path: `${workspaceRoot}/A.B+C` })).toBe(false);
    expect(may({ call: "create", path: `${workspaceRoot}/q"[x]` })).toBe(false);
  });
});
