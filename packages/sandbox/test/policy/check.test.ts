import { describe, expect, it } from "vitest";
import { bashEnvironment, explain } from "@fencepost/sandbox";
import { grant, policyOf, verdictOf } from "./policy-of.ts";

const modes = ["auto", "accept-edits"] as const;
const actors = ["bash", "file-tool"] as const;

describe("check", () => {
  it("[P5] [P6] refuses writing outside the workspace to both actors in both modes, and lets both read there", () => {
    for (const mode of modes) for (const actor of actors) expect(verdictOf(policyOf({ mode }), "/etc/passwd", actor)).toBe("r-");
  });

  it("[P5] lets both write temp roots in both modes, by whole segments", () => {
    for (const mode of modes) {
      for (const actor of actors) {
        const policy = policyOf({ mode });
        expect([verdictOf(policy, "/tmp/a/b", actor), verdictOf(policy, "/t2", actor), verdictOf(policy, "/tmpx", actor)]).toEqual(["rw", "rw", "r-"]);
      }
    }
  });

  it("[D-1] does not take a sibling with the workspace's name in front for the workspace", () => {
    expect(verdictOf(policyOf({ workspaceRoot: "/x/app" }), "/x/app-evil/f")).toBe("r-");
  });

  it("lets bash write the workspace in auto only, file tools in both modes", () => {
    expect(verdictOf(policyOf({ mode: "auto" }), "/w/src/a.ts")).toBe("rw");
    expect(verdictOf(policyOf({ mode: "accept-edits" }), "/w/src/a.ts")).toBe("r-");
    expect(verdictOf(policyOf({ mode: "accept-edits" }), "/w/src/a.ts", "file-tool")).toBe("rw");
    expect(policyOf({ mode: "accept-edits" }).check("/w/a", "write", "bash")).toEqual({ allowed: false, reason: "outside_writable_roots" });
  });

  it("[P49] [D-58] keeps bash out of a workspace that is home or above it, in both modes, but not file tools", () => {
    for (const workspaceRoot of ["/u", "/"]) {
      for (const mode of modes) {
        const policy = policyOf({ mode, workspaceRoot });
        expect([verdictOf(policy, "/u/src/a"), verdictOf(policy, "/u/src/a", "file-tool"), verdictOf(policy, "/tmp/a")]).toEqual(["r-", "rw", "rw"]);
      }
    }
    const other = policyOf({ workspaceRoot: "/real", environment: { credentialHomes: ["/u", "/real/me"] } });
    expect(verdictOf(other, "/real/a")).toBe("r-");
  });

  it("lets bash write a workspace inside a temp root in both modes, without opening protected names", () => {
    const policy = policyOf({ mode: "accept-edits", workspaceRoot: "/tmp/ws" });
    expect([verdictOf(policy, "/tmp/ws/a"), verdictOf(policy, "/tmp/ws/.env"), verdictOf(policy, "/tmp/.env")]).toEqual(["rw", "r-", "rw"]);
  });

  it("[P8] refuses every sensitive name in both modes and opens it to a grant that names it", () => {
    const files = [".env", ".env.local", ".envrc", ".gitconfig", ".gitmodules", ".bashrc", ".bash_profile", ".zshrc", ".zprofile", ".profile", ".mcp.json", ".ripgreprc"];
    const inside = [".git/config", "a/.git/config", ".git", ".vscode/settings.json", ".idea/x", ".claude/x", ".codex/x", ".cursor/x", ".gemini/x", ".husky/x"];
    for (const path of [...files, ...inside].map((name) => `/w/${name}`)) {
      for (const mode of modes) {
        for (const actor of actors) {
          expect(verdictOf(policyOf({ mode }), path, actor)).toBe("r-");
          expect(verdictOf(policyOf({ mode, grants: [grant(path, "write", "exact")] }), path, actor)).toBe("rw");
        }
      }
    }
  });

  it("[P9] [P47] keeps hard-protected paths closed under every grant, also one that names them or a parent", () => {
    const paths = ["/w/.git/hooks/pre-commit", "/u/.fencepost/x", "/u/.agents/skills/s", "/w/n/.git/modules/m/hooks/x", "/dev/sda"];
    for (const path of paths) {
      for (const granted of [path, "/w/.git", "/w", "/u", "/", "/u/.fencepost", "/u/.agents"]) {
        for (const actor of actors) expect(verdictOf(policyOf({ grants: [grant(granted)] }), path, actor)).toBe("r-");
      }
    }
  });

  it("does not let a grant for the workspace open .git or .env", () => {
    const policy = policyOf({ mode: "accept-edits", grants: [grant("/w")] });
    expect([verdictOf(policy, "/w/a"), verdictOf(policy, "/w/.git/config"), verdictOf(policy, "/w/.env")]).toEqual(["rw", "r-", "r-"]);
  });

  it("[P7] opens credentials only to a grant that names them, for writing only to a write grant", () => {
    expect(verdictOf(policyOf({ grants: [grant("/u/.ssh", "read")] }), "/u/.ssh/id")).toBe("r-");
    expect(verdictOf(policyOf({ grants: [grant("/u/.ssh", "write")] }), "/u/.ssh/id")).toBe("rw");
    expect(verdictOf(policyOf({ grants: [grant("/u/.config", "write")] }), "/u/.config/gh/hosts.yml")).toBe("--");
    expect(verdictOf(policyOf({ grants: [grant("/u/.config", "write"), grant("/u/.config/gh", "read")] }), "/u/.config/gh/hosts.yml")).toBe("r-");
    expect(verdictOf(policyOf({ grants: [grant("/u/.config", "read")] }), "/u/.config/gh/hosts.yml")).toBe("--");
    expect(verdictOf(policyOf({ grants: [grant("/u/.ssh/config", "read", "exact")] }), "/u/.ssh/id")).toBe("--");
    expect(policyOf().check("/u/.ssh/id", "read", "bash")).toEqual({ allowed: false, reason: "credential" });
  });

  it("[P9] [P47] keeps git hooks closed under every grant outside the workspace too, in any spelling", () => {
    const paths = ["/o/.git/hooks/pre-commit", "/o/a/.GIT/Hooks/x", "/o/.git/modules/m/n/hooks/x", "/o/.git/hooks"];
    for (const path of paths) {
      for (const granted of [grant("/o"), grant("/o/.git"), grant("/o/.git/hooks"), grant("/o/a"), grant(path), grant(path, "write", "exact")]) {
        for (const actor of actors) expect(policyOf({ grants: [granted] }).check(path, "write", actor)).toEqual({ allowed: false, reason: "hard_protected" });
      }
    }
    expect(verdictOf(policyOf({ grants: [grant("/o/.git")] }), "/o/.git/config")).toBe("rw");
    expect(verdictOf(policyOf({ grants: [grant("/o")] }), "/tmp/r/.git/hooks/x")).toBe("rw");
  });

  it("[P8] leaves protected names inside a granted directory outside the workspace to a grant that names them", () => {
    const policy = policyOf({ grants: [grant("/o")], additions: { hardProtectedNames: ["locked"], sensitiveNames: [".ours"] } });
    for (const name of [".git", ".git/config", ".env", "a/.envrc", ".VSCode/settings.json", ".bashrc", ".ours/x"]) {
      expect(policy.check(`/o/${name}`, "write", "bash")).toEqual({ allowed: false, reason: "sensitive" });
      expect(verdictOf(policyOf({ grants: [grant("/o"), grant(`/o/${name}`)] }), `/o/${name}`)).toBe("rw");
    }
    expect(policy.check("/o/locked/x", "write", "bash")).toEqual({ allowed: false, reason: "hard_protected" });
    expect(["/o/a", "/o/.github/x", "/o/.env.d/x"].map((path) => verdictOf(policy, path))).toEqual(["rw", "rw", "rw"]);
    expect(verdictOf(policyOf({ grants: [grant("/u/.claude/other")] }), "/u/.claude/other/a")).toBe("rw");
  });

  it("takes an exact grant for the path alone", () => {
    const policy = policyOf({ grants: [grant("/opt/cache", "write", "exact")] });
    expect([verdictOf(policy, "/opt/cache"), verdictOf(policy, "/opt/cache/a")]).toEqual(["rw", "r-"]);
  });

  it("[D-34] lets the stricter rule win where one path is writable and protected at once", () => {
    const policy = policyOf({ additions: { hardProtectedPaths: ["/tmp/kept"] }, environment: { tempRoots: ["/tmp", "/tmp/kept"] } });
    expect(verdictOf(policy, "/tmp/kept/a")).toBe("r-");
  });

  it("lets everyone write the devices of the platform, and nothing else below /dev", () => {
    const linux = policyOf({ workspaceRoot: "/", environment: { tempRoots: ["/dev/shm"] } });
    const writable = ["/dev/null", "/dev/zero", "/dev/tty", "/dev/fd/3", "/dev/pts/12"];
    const not = ["/dev", "/dev/fd", "/dev/fd/3x", "/dev/pts", "/dev/ttys1", "/dev/shm/x", "/dev/nullx", "/dev/null/x", "/proc/self/mem", "/sys/power/state"];
    for (const actor of actors) {
      expect(writable.map((path) => verdictOf(linux, path, actor))).toEqual(writable.map(() => "rw"));
      expect(not.map((path) => verdictOf(linux, path, actor))).toEqual(not.map(() => "r-"));
    }
    const mac = policyOf({ environment: { platform: "darwin" } });
    expect([verdictOf(mac, "/dev/ttys001"), verdictOf(mac, "/dev/pts/1")]).toEqual(["rw", "r-"]);
  });

  it("[P53] [D-32] treats hostile names as names", () => {
    const workspaceRoot = "/w [1]/*?(+) '\"\\\n\u00e9";
    const policy = policyOf({ workspaceRoot });
    expect(verdictOf(policy, `${workspaceRoot}/-rf`)).toBe("rw");
    expect(verdictOf(policy, `${workspaceRoot}/a\nb/.git/hooks/x`)).toBe("r-");
    expect(verdictOf(policy, `/w 1/x/.env`)).toBe("r-");
    expect(policy.tier(`${workspaceRoot}/${"n".repeat(255)}/.env`)).toBe("sensitive");
  });

  it("[D-33] lets nothing through that is not a normalised absolute path", () => {
    const policy = policyOf();
    for (const path of ["", "w/a", "/w/../etc/x", "/w/./a", "/w//a", "/w/a/", "/w/..", "/w/.", "/w/a\0"]) expect([path, verdictOf(policy, path)]).toEqual([path, "--"]);
    for (const path of ["/w/...", "/w/..a", "/w/a..", "/w/.a", "/w"]) expect([path, verdictOf(policy, path)]).toEqual([path, "rw"]);
    expect(verdictOf(policyOf({ workspaceRoot: "/" }), "/", "file-tool")).toBe("rw");
    expect(explain(policy, "/w/", "write", "bash").rule).toBe("It is not a normalised absolute path, so no rule can let it through.");
  });

  it("cannot be changed once made", () => {
    const policy = policyOf({ grants: [grant("/opt/cache")] });
    expect(() => Object.assign(policy, { mode: "accept-edits" })).toThrow(TypeError);
    expect(() => Object.assign(policy.grants[0] ?? {}, { path: "/" })).toThrow(TypeError);
    expect(policy.withGrants([]).grants).toEqual([]);
    expect(policy.grants).toHaveLength(1);
  });

  it("puts Go's build cache below the last temp root", () => {
    expect(bashEnvironment({ tempRoots: ["/tmp", "/var/t"] })).toEqual({ GOCACHE: "/var/t/fencepost/go-build" });
    expect(bashEnvironment({ tempRoots: [] })).toEqual({});
  });
});

describe("explain", () => {
  it("says which rule decides", () => {
    const policy = policyOf({ mode: "accept-edits", grants: [grant("/opt/cache")] });
    const rule = (path: string, access: "read" | "write"): string => explain(policy, path, access, "bash").rule;
    expect(rule("/etc/hosts", "read")).toBe("Everything that is not a credential path can be read.");
    expect(rule("/u/.ssh/id", "read")).toBe("It is where credentials are kept: only a grant that names it makes it readable.");
    expect(rule("/w/.git/hooks/x", "write")).toBe("It is git hooks, which git runs: no mode and no grant makes it writable.");
    expect(rule("/w/.env", "write")).toBe("It is an environment file (.env…): only a write grant that names it makes it writable.");
    expect(rule("/opt/cache/a", "write")).toBe("The write grant for /opt/cache (subtree) of this call opens it.");
    expect(rule("/tmp/a", "write")).toBe("It lies in the temp root /tmp.");
    expect(rule("/w/a", "write")).toBe("Commands may write without a grant only below /tmp, /t2, and no grant covers it.");
    expect(rule("/dev/null", "write")).toBe("It is a device that everyone may write.");
    expect(explain(policy, "/w/a", "write", "file-tool")).toEqual({ tier: "normal", verdict: { allowed: true }, rule: "It lies in the workspace /w." });
  });
});
