import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resultText } from "@fencepost/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildCommand } from "./built-command.ts";
import { startHost, type JsonlHost } from "./jsonl-host.ts";
import { treeOf } from "./tree.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
let host: JsonlHost;

beforeAll(async () => {
  buildCommand();
  world = createWorld();
  world.file("work space/a.txt", "hello\n");
  world.file("work space/.env", "KEY=secret\n");
  world.file("work space/.vscode/settings.json", "{}\n");
  world.file("outside/o.txt", "outside\n");
  world.file("home/.ssh/id_rsa", "PRIVATE-KEY-TEXT\n");
  world.file("home/.aws/credentials", "PRIVATE-KEY-TEXT\n");
  world.file("home/.npmrc", "PRIVATE-KEY-TEXT\n");
  world.file("home/notes.txt", "ordinary\n");
  world.file("home/.fencepost/keep", "state\n");
  world.file("home/.agents/skills/x/SKILL.md", "skill\n");
  execFileSync("git", ["init", "-q", world.workspace]);
  host = await startHost(world, ["--approve", "ask"]);
});

afterAll(async () => {
  host.end();
  await host.exited;
  world.remove();
});

/** Expects a refusal that leaves every file of the world as it was. */
async function refused(tool: string, input: object): Promise<string> {
  const { ".fencepost": _, ...before } = treeOf(world.base);
  const result = await host.call(tool, input);
  const { ".fencepost": __, ...after } = treeOf(world.base);
  expect(ordinary(after)).toEqual(ordinary(before));
  expect(result.sandboxDenied || result.status === "denied", `${tool} ${JSON.stringify(input)}: ${resultText(result)}`).toBe(true);
  return resultText(result);
}

/** Fencepost's own locks and spill aside. */
function ordinary(tree: Readonly<Record<string, string>>): object {
  return Object.fromEntries(Object.entries(tree).filter(([path]) => !path.startsWith("home/.fencepost/") || path === "home/.fencepost/keep"));
}

describe("what a session refuses, for file tools and for commands under the real kernel", () => {
  it("[P5] [D-27] refuses to write outside the workspace, whatever the command word", async () => {
    const target = `${world.outside}/new.txt`;
    expect(await refused("write", { path: target, content: "x" })).toContain(`write access to ${target} denied under auto mode`);
    for (const command of [`echo x > '${target}'`, `echo x | tee '${target}'`, `dd if=/dev/zero of='${target}' count=1`, `cp a.txt '${target}'`, `ln a.txt '${target}'`, `mkdir '${world.outside}/d'`, `rm '${world.outside}/o.txt'`, `echo x >> '${world.outside}/o.txt'`, `touch '${world.home}/x'`]) {
      const text = await refused("bash", { command });
      expect(text).toContain("[sandbox: file access denied under auto mode]");
    }
  });

  it("[P5] writes the workspace and the temp roots", async () => {
    const result = await host.call("bash", { command: 'echo y > made.txt && t=$(mktemp) && echo z > "$t" && rm "$t" && cat made.txt && rm made.txt' });
    expect(resultText(result)).toMatch(/^y\n\[exit 0; /);
  });

  it("[P6] reads ordinary files anywhere", async () => {
    expect(resultText(await host.call("read", { path: `${world.outside}/o.txt` }))).toBe("1\toutside");
    expect(resultText(await host.call("read", { path: "~/notes.txt" }))).toBe("1\tordinary");
    expect(resultText(await host.call("bash", { command: "cat ~/notes.txt" }))).toMatch(/^ordinary\n/);
  });

  it("[P7] [D-30] shows no credential through any tool", async () => {
    for (const path of ["~/.ssh/id_rsa", "~/.aws/credentials", "~/.npmrc"]) {
      const real = path.replace("~", world.home);
      const results = [
        await host.call("read", { path }),
        await host.call("grep", { pattern: "PRIVATE", path }),
        await host.call("bash", { command: `cat '${real}'` }),
        await host.call("bash", { command: `cp '${real}' stolen; cat stolen; unlink stolen` }),
      ];
      for (const result of results) expect(resultText(result)).not.toContain("PRIVATE-KEY-TEXT");
    }
    for (const result of [await host.call("list", { path: "~/.ssh" }), await host.call("glob", { pattern: "**/*", path: "~/.ssh" }), await host.call("bash", { command: "ls ~/.ssh" })]) expect(resultText(result)).not.toContain("id_rsa\n");
    const wide = await host.call("grep", { pattern: "PRIVATE", path: "~", includeHidden: true });
    expect(resultText(wide)).not.toContain("KEY-TEXT");
    const link = await host.call("bash", { command: "ln -s ~/.ssh/id_rsa key; cat key" });
    expect(resultText(link)).not.toContain("PRIVATE-KEY-TEXT");
    expect(resultText(await host.call("read", { path: "key" }))).not.toContain("PRIVATE-KEY-TEXT");
    await host.call("bash", { command: "rm key" });
  });

  it("[P8] keeps sensitive names closed, and opens one with an exact grant that a person gives", async () => {
    for (const path of [".env", ".vscode/settings.json", ".git/config", ".GIT/config"]) {
      await refused("write", { path, content: "x" });
    }
    for (const command of ["echo x >> .env", "echo x > .vscode/settings.json", "echo x >> .git/config", "rm .env", "mv .env e", "mv .vscode v", "mv .git g"]) await refused("bash", { command });

    host.send({ id: "grant", tool: "bash", input: { command: "echo KEY=new > .env", sandboxPermissions: { paths: [{ path: ".env", access: "write", scope: "exact" }] }, justification: "The key has changed." } });
    const card = await host.when((message) => message.permission?.callId === "grant");
    expect(card.permission).toMatchObject({ command: "echo KEY=new > .env", justification: "The key has changed.", paths: [{ path: `${world.workspace}/.env`, access: "write", scope: "exact", tier: "sensitive" }] });
    expect(readFileSync(`${world.workspace}/.env`, "utf8")).toBe("KEY=secret\n");
    host.send({ permission: { requestId: card.permission?.requestId, decision: "allow" } });
    const { result } = await host.when((message) => message.id === "grant");
    expect(result).toMatchObject({ status: "succeeded", sandboxDenied: false });
    expect(readFileSync(`${world.workspace}/.env`, "utf8")).toBe("KEY=new\n");
    await refused("bash", { command: "echo KEY=again > .env" });
  });

  it("[P9] [P39] keeps hooks, state and skills closed with every grant, without a card", async () => {
    const cards = host.messages.filter((message) => message.permission).length;
    for (const path of [".git/hooks/pre-commit", "~/.fencepost/keep", "~/.agents/skills/x/SKILL.md", ".Git/HOOKS/post-merge"]) {
      expect(await refused("write", { path, content: "x" })).toContain("is protected and cannot be written in any mode; do not retry");
      for (const granted of [path, path.slice(0, path.lastIndexOf("/"))]) {
        const result = await host.call("write", { path, content: "x", sandboxPermissions: { paths: [{ path: granted, access: "write", scope: "subtree" }] }, justification: "Because." });
        expect(result.status).not.toBe("succeeded");
      }
    }
    for (const command of ["echo x > .git/hooks/pre-commit", "echo x > ~/.fencepost/keep", "echo x >> ~/.agents/skills/x/SKILL.md", "unlink ~/.agents/skills/x/SKILL.md", "mkdir -p .git/hooks/d"]) await refused("bash", { command });
    expect(host.messages.filter((message) => message.permission)).toHaveLength(cards);
  });

  it("[P3] refuses commits without a grant, and with one still keeps the hooks closed", async () => {
    await refused("bash", { command: "git add a.txt" });
    host.send({
      id: "commit",
      tool: "bash",
      input: {
        command: "git add a.txt && git -c user.name=a -c user.email=a@b commit -qm one && git log --oneline | wc -l; echo x > .git/hooks/pre-commit",
        sandboxPermissions: { paths: [{ path: ".git", access: "write", scope: "subtree" }] },
        justification: "To commit.",
      },
    });
    const card = await host.when((message) => message.permission?.callId === "commit");
    host.send({ permission: { requestId: card.permission?.requestId, decision: "allow" } });
    const { result } = await host.when((message) => message.id === "commit");
    expect(result && resultText(result)).toMatch(/^1\n.*pre-commit: Read-only file system/);
    expect(result?.sandboxDenied).toBe(true);
  });

  it("[C6] runs nothing where the person says no", async () => {
    host.send({ id: "no", tool: "write", input: { path: `${world.outside}/no.txt`, content: "x", sandboxPermissions: { paths: [{ path: `${world.outside}/no.txt`, access: "write", scope: "exact" }] }, justification: "Please." } });
    const card = await host.when((message) => message.permission?.callId === "no");
    host.send({ permission: { requestId: card.permission?.requestId, decision: "deny" } });
    const { result } = await host.when((message) => message.id === "no");
    expect(result).toMatchObject({ status: "denied", error: { code: "permission_denied" } });
    expect(Object.keys(treeOf(world.outside))).toEqual(["o.txt"]);
  });

  it("[P52] opens nothing by being root: no remount, unmount, nested namespace, other process's root", async () => {
    const attempts = [
      "mount -o remount,rw / ; mount -o remount,bind,rw .git",
      "umount -l .git; umount .git/hooks; umount -l ~/.ssh",
      "unshare -Ur sh -c 'mount -o remount,rw /'",
      "unshare -m sh -c 'umount .git/hooks'",
      `for p in /proc/[0-9]*; do cat "$p/root${world.home}/.ssh/id_rsa"; echo x > "$p/root${world.outside}/p"; done`,
      `kill -9 ${host.pid} ${process.pid}`,
      "mknod disk b 8 0 || mknod sda b 259 0",
      "echo 1 > /proc/sys/kernel/sysrq; echo b > /proc/sysrq-trigger",
      `chroot / sh -c "echo x > '${world.outside}/c'"`,
      "nsenter -t 1 -m sh -c 'cat ~/.ssh/id_rsa'",
    ];
    for (const command of attempts) {
      const before = ordinary(treeOf(world.base));
      const text = resultText(await host.call("bash", { command: `{ ${command}; } 2>&1; echo x > .git/hooks/pwn; cat ~/.ssh/id_rsa; ls .git/hooks/pwn` }));
      expect(text).not.toContain("PRIVATE-KEY-TEXT");
      expect(text).not.toMatch(/^\.git\/hooks\/pwn$/m);
      expect(ordinary(treeOf(world.base))).toEqual(before);
    }
    const capabilities = await host.call("bash", { command: "grep -i '^Cap\\(Eff\\|Prm\\|Bnd\\|Amb\\)' /proc/self/status" });
    expect(resultText(capabilities).match(/0000000000000000/g)).toHaveLength(4);
  });

  it("[P4] lets commands write nothing of the workspace in accept-edits, and file tools still", async () => {
    host.send({ id: "narrow", mode: "accept-edits" });
    await host.when((message) => message.id === "narrow");
    expect(await refused("bash", { command: "echo x > b.txt" })).toContain("denied under accept-edits mode");
    expect(await host.call("write", { path: "by-tool.txt", content: "x" })).toMatchObject({ status: "succeeded" });
    expect(resultText(await host.call("bash", { command: 'cat by-tool.txt; t=$(mktemp) && rm "$t" && echo temp-ok' }))).toContain("temp-ok");
    host.send({ id: "wide", mode: "auto" });
    await host.when((message) => message.id === "wide");
  });

  it("[P11] speaks of no network and no isolation", () => {
    expect(JSON.stringify(host.messages)).not.toMatch(/network|isolat/i);
  });
});
