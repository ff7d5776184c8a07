import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { diagnose } from "../../src/bubblewrap/diagnose.ts";

const settings = (values: Readonly<Record<string, string>> = {}) => (path: string): string | undefined => values[path.slice(path.lastIndexOf("/") + 1)];

describe("what bubblewrap says about its own failure", () => {
  it.each([
    ["bwrap: setting up uid map: Permission denied", { apparmor_restrict_unprivileged_userns: "1" }, "AppArmor refuses user namespaces to bubblewrap", "apparmor_restrict_unprivileged_userns=0"],
    ["bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", { apparmor_restrict_unprivileged_userns: "1" }, "AppArmor refuses user namespaces to bubblewrap", "userns,"],
    ["bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces.", { unprivileged_userns_clone: "0" }, "the kernel refuses user namespaces to ordinary users", "unprivileged_userns_clone=1"],
    ["bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)", { max_user_namespaces: "0" }, "the kernel's limit of user namespaces is 0", "max_user_namespaces=15000"],
    ["bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)", { max_user_namespaces: "96364" }, "user namespaces are refused here, as in a container or a sandbox that is already nested", "outside the container"],
    ["bwrap: setting up uid map: Permission denied", {}, "user namespaces are refused here, as in a container or a sandbox that is already nested", "outside the container"],
    ["bwrap: Creating new namespace failed: Operation not permitted", {}, "user namespaces are refused here, as in a container or a sandbox that is already nested", "outside the container"],
    ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", {}, "this machine is a container that does not allow a new /proc, so nested sandboxes cannot be made", "systempaths=unconfined"],
    ["bwrap: cannot open /proc/sys/user/max_user_namespaces: Permission denied", {}, "bubblewrap is installed setuid and cannot be hardened that way", "chmod u-s"],
    ["bwrap: --disable-userns is not supported in setuid mode", {}, "bubblewrap is installed setuid and cannot be hardened that way", "chmod u-s"],
    ["bwrap: something never seen", {}, "bubblewrap could not start a command (bwrap: something never seen)", "fencepost doctor"],
    ["", {}, "bubblewrap could not start a command", "fencepost doctor"],
  ])("[D-39] %j with %j is diagnosed, with the remedy in one line", (output, kernel, reason, remedy) => {
    const found = diagnose(output, settings(kernel));
    expect(found.reason).toBe(reason);
    expect(found.remedy).toContain(remedy);
    expect(found.remedy).not.toContain("\n");
  });

  it.runIf(process.platform === "linux" && process.geteuid?.() === 0)("[D-39] a real setuid runner is known by what it says", () => {
    const directory = mkdtempSync("/var/lib/fencepost-test-");
    try {
      chmodSync(directory, 0o755);
      const runner = join(directory, "bwrap");
      copyFileSync("/usr/bin/bwrap", runner);
      chmodSync(runner, 0o4755);
      const ran = spawnSync(runner, ["--unshare-user", "--unshare-pid", "--disable-userns", "--cap-drop", "ALL", "--ro-bind", "/", "/", "/bin/true"], { uid: 54_321, gid: 54_321, encoding: "utf8" });
      expect(ran.status).toBe(1);
      expect(diagnose(ran.stderr).reason).toBe("bubblewrap is installed setuid and cannot be hardened that way");
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
