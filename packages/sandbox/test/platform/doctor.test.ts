import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { doctor, platformBackend } from "@fencepost/sandbox";
import { examine, type DoctorFinding } from "../../src/platform/doctor.ts";
import { thisMachine, type Machine } from "../../src/platform/machine.ts";

const places = { workspaceRoot: "/w", stateHome: "/u/.fencepost", tempRoots: ["/tmp"] };
const healthy: Machine = {
  platform: "linux",
  uid: 1000,
  xdgRuntimeDirectory: "/run/user/1000",
  runner: () => ({ path: "/usr/bin/bwrap", rejected: [] }),
  textOf: () => undefined,
  exists: () => false,
  ownerOf: () => 1000,
  isSetuid: () => false,
  isExecutable: () => true,
  writeError: () => undefined,
};
const broken = { available: false, reason: "user namespaces are refused here", remedy: "Mend it." } as const;

function findings(changes: Partial<Machine>, { answer = broken, at = places }: { answer?: Parameters<typeof examine>[1]; at?: typeof places } = {}): readonly DoctorFinding[] {
  return examine("bubblewrap", answer, at, { ...healthy, ...changes });
}

const setting = (name: string, value: string) => (path: string): string | undefined => (path.endsWith(`/${name}`) ? value : undefined);

describe("the doctor", () => {
  it("finds nothing to mend on a machine that works", () => {
    expect(findings({}, { answer: { available: true } })).toEqual([
      { subject: "self-check", state: "good", found: "bubblewrap refuses what it must" },
      { subject: "bubblewrap", state: "good", found: "/usr/bin/bwrap" },
      { subject: "state directory", state: "good", found: "/u/.fencepost" },
    ]);
  });

  it.each<[what: string, changes: Partial<Machine>, subject: string, found: RegExp, remedy: RegExp]>([
    ["no bubblewrap", { runner: () => ({ path: undefined, rejected: [] }) }, "bubblewrap", /^not installed$/, /apt install bubblewrap/],
    ["one that others can write", { runner: () => ({ path: undefined, rejected: [{ path: "/usr/local/bin/bwrap", why: "/usr/local/bin can be written by others than root" }] }) }, "bubblewrap", /^\/usr\/local\/bin\/bwrap cannot be trusted: .*others than root/, /from the distribution/],
    ["one that cannot be started", { isExecutable: () => false }, "bubblewrap", /^\/usr\/bin\/bwrap is not executable/, /chmod a\+x \/usr\/bin\/bwrap/],
    ["a setuid one", { isSetuid: () => true }, "bubblewrap", /setuid/, /chmod u-s \/usr\/bin\/bwrap/],
    ["AppArmor's restriction", { textOf: setting("apparmor_restrict_unprivileged_userns", "1") }, "apparmor_restrict_unprivileged_userns", /AppArmor restricts user namespaces/, /bwrap-userns-restrict/],
    ["a kernel that refuses ordinary users", { textOf: setting("unprivileged_userns_clone", "0") }, "unprivileged_userns_clone", /refuses user namespaces to ordinary users/, /unprivileged_userns_clone=1/],
    ["a kernel without user namespaces", { textOf: setting("max_user_namespaces", "0") }, "max_user_namespaces", /allows no user namespaces/, /max_user_namespaces=15000/],
    ["a docker container", { exists: (path) => path === "/.dockerenv" }, "container", /refuses nested sandboxes/, /seccomp=unconfined/],
    ["a podman container", { exists: (path) => path === "/run/.containerenv" }, "container", /refuses nested sandboxes/, /outside it/],
    ["a root host on another user's workspace", { uid: 0, ownerOf: () => 1234 }, "workspace owner", /belongs to uid 1234/, /sudo -u '#1234'/],
    ["a state directory that cannot be written", { writeError: () => "EACCES" }, "state directory", /^\/u\/\.fencepost cannot be written \(EACCES\)/, /set HOME/],
  ])("[D-39] names %s, with the remedy in one line", (_what, changes, subject, found, remedy) => {
    const finding = findings(changes).find((one) => one.subject === subject);
    expect(finding).toMatchObject({ state: "bad", found: expect.stringMatching(found), remedy: expect.stringMatching(remedy) });
    expect(`${finding?.found}${finding?.remedy}`).not.toContain("\n");
  });

  it("says nothing of what a container refuses where no sandbox could be tried", () => {
    const answer = { available: false, reason: "bubblewrap is not installed", remedy: "Install it." } as const;
    const inDocker = { exists: (path: string) => path === "/.dockerenv", runner: () => ({ path: undefined, rejected: [] }) };
    expect(findings(inDocker, { answer }).find(({ subject }) => subject === "container")).toEqual({ subject: "container", state: "note", found: "this is a container; whether it allows nested sandboxes was not found out" });
  });

  it("does not take a file that cannot be started for an old version", () => {
    const answer = { available: false, reason: "/usr/bin/bwrap is spawn /usr/bin/bwrap EACCES, and version 0.8.0 or later is needed", remedy: "Install a newer one." } as const;
    expect(findings({ isExecutable: () => false }, { answer })[0]).toMatchObject({ state: "bad", found: "/usr/bin/bwrap could not be started, so nothing was checked" });
  });

  it("names a state directory where making one never returns", () => {
    expect(findings({}, { at: { ...places, stateHome: "/proc/1/.fencepost" } }).at(-1)).toMatchObject({ state: "bad", found: expect.stringContaining("a file system of the kernel") });
  });

  it("takes what does no harm for a note", () => {
    const works = { answer: { available: true } as const };
    for (const changes of [{ textOf: setting("apparmor_restrict_unprivileged_userns", "1") }, { exists: (path: string) => path === "/.dockerenv" }, { isSetuid: () => true }]) {
      expect(findings(changes, works).map(({ state }) => state)).toContain("note");
      expect(findings(changes, works).map(({ state }) => state)).not.toContain("bad");
    }
    expect(findings({ isSetuid: () => true, uid: 0 }, works).find(({ subject }) => subject === "bubblewrap")?.state).toBe("good");
  });

  it("tells of sockets that cannot be hidden, because the workspace or a temp root lies among them", () => {
    for (const at of [{ ...places, workspaceRoot: "/run/user/1000/ws" }, { ...places, tempRoots: ["/tmp", "/run/user/1000/tmp"] }]) {
      expect(findings({}, { at }).find(({ subject }) => subject === "XDG_RUNTIME_DIR")).toMatchObject({ state: "note", found: expect.stringContaining("stay reachable") });
    }
  });

  it("says on other platforms what the self-check said, and nothing of Linux", () => {
    expect(findings({ platform: "darwin" }).map(({ subject }) => subject)).toEqual(["self-check", "state directory"]);
  });
});

describe("this machine", () => {
  let directory: string;
  beforeEach(() => (directory = realpathSync(mkdtempSync(join(tmpdir(), "fencepost-doctor-")))));
  afterEach(() => {
    chmodSync(directory, 0o700);
    rmSync(directory, { recursive: true, force: true });
  });

  it("is looked at as it is, and not changed", async () => {
    const backend = platformBackend();
    const stateHome = join(directory, "state");
    const found = await doctor(backend, { workspaceRoot: directory, stateHome, tempRoots: [] });
    await backend.close();
    expect(found[0]).toMatchObject({ subject: "self-check" });
    expect(found.at(-1)).toEqual({ subject: "state directory", state: "good", found: stateHome });
    expect(thisMachine().exists(stateHome)).toBe(false);
  });

  it("tells whether a directory can be written, or made", () => {
    const machine = thisMachine();
    const writeError = (path: string): string | undefined => machine.writeError(path);
    writeFileSync(join(directory, "file"), "");
    mkdirSync(join(directory, "closed"));
    chmodSync(join(directory, "closed"), 0o555);
    expect([writeError(directory), writeError(join(directory, "a/b/c"))]).toEqual([undefined, undefined]);
    expect(["ENOTDIR", "EACCES"]).toContain(writeError(join(directory, "file/x")));
    if (process.geteuid?.() !== 0) expect(writeError(join(directory, "closed/state"))).toBe("EACCES");
  });
});
