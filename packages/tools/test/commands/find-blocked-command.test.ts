import { describe, expect, it } from "vitest";
import { findBlockedCommand } from "../../src/commands/find-blocked-command.ts";

const fixed = { blockList: true, denyRules: [] };
const key = (script: string): string | undefined => findBlockedCommand(script, fixed)?.key;

describe("the fixed block list", () => {
  it.each([
    ["sudo ls", "sudo"],
    ["cd x && sudo -u bob make install", "sudo"],
    ["env A=1 sudo true", "sudo"],
    ["bash -c 'sudo true'", "sudo"],
    ["echo $(sudo id)", "sudo"],
    ["mkfs.ext4 /dev/sda1", "block_device"],
    ["mkfs -t ext4 /dev/nvme0n1", "block_device"],
    ["dd if=/dev/zero of=/dev/sda bs=1M", "block_device"],
    ["cat image > /dev/vda", "block_device"],
    ["cat image | tee /dev/sdb", "block_device"],
    ["wipefs -a /dev/sdb", "block_device"],
    ["rm -rf /", "remove_system_root"],
    ["rm -rf /*", "remove_system_root"],
    ["rm -rf --no-preserve-root /", "remove_system_root"],
    ["rm -r /usr/", "remove_system_root"],
    ["rm -r x //etc/.", "remove_system_root"],
    ["rm -rf /home/*", "remove_system_root"],
    ["chmod -R 777 /", "change_system_root"],
    ["chown -R me:me /etc", "change_system_root"],
    ["shutdown -h now", "shutdown"],
    ["reboot", "shutdown"],
    ["systemctl poweroff", "shutdown"],
    ["init 0", "shutdown"],
    [":(){ :|:& };:", "fork_bomb"],
    ["bomb() { bomb | bomb & }; bomb", "fork_bomb"],
  ])("refuses %s", (script, expected) => expect(key(script)).toBe(expected));

  it.each([
    "ls",
    "rm -rf build",
    "rm -rf /tmp/x",
    "rm -rf /home/me/project/build",
    "rm -rf /usr/$X",
    "rm /etc/x",
    "echo sudo rm -rf /",
    "dd if=/dev/zero of=image bs=1M",
    "echo x > /dev/null",
    "cat /dev/sda",
    "mkfs.ext4 disk.img",
    "chmod -R u+w .",
    "git init",
    "systemctl status x",
    "fact() { if [ $1 -gt 1 ]; then fact $(($1 - 1)); fi; }",
  ])("lets %s through", (script) => expect(key(script)).toBeUndefined());

  it("is off unless the host turns it on", () => {
    expect(findBlockedCommand("sudo rm -rf /", { blockList: false, denyRules: [] })).toBeUndefined();
  });

  it("names the command and the next step", () => {
    const found = findBlockedCommand("ls; sudo make install", fixed);
    expect(found?.text).toBe("sudo make install");
    expect(found?.span).toEqual({ start: 4, end: 21 });
    expect(found?.message).toBe(
      "Blocked: `sudo make install`. In this session commands are not run as another user, and nobody can approve it. Reach the goal another way, or ask the user to run it in their own terminal.",
    );
  });
});

describe("a host's deny rules", () => {
  const choices = {
    blockList: false,
    denyRules: [
      { program: "git", subcommand: ["push"], reason: "pushing is left to the user" },
      { program: "terraform", reason: "infrastructure is not touched" },
    ],
  };

  it.each(["git push", "git --no-pager push origin", "cd a; /usr/bin/git push --force", "nice terraform apply", "bash -c 'git push'"])("refuse %s", (script) => {
    expect(findBlockedCommand(script, choices)?.key).toBe("host_rule");
  });

  it.each(["git status", "git stash push", "echo git push", "terraformer"])("let %s through", (script) => {
    expect(findBlockedCommand(script, choices)).toBeUndefined();
  });

  it("come after the fixed list", () => {
    expect(findBlockedCommand("terraform apply; sudo ls", { ...choices, blockList: true })?.key).toBe("sudo");
  });
});
