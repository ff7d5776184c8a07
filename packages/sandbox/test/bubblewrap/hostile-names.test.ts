import { Buffer } from "node:buffer";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { bubblewrapBackend, type PathGrant } from "../../src/index.ts";
import { commandIn, makeWorld, run } from "./world.ts";

const backend = bubblewrapBackend();
afterAll(() => backend.close());

const names = ["a b", "quo'te", 'dou"ble', "new\nline", "ü-é-日本", "-rf", "[1]", "*", "?(+)", "back\\slash", "$(touch x)", "a;b", "--bind", "x".repeat(255)];

describe.runIf(process.platform === "linux")("names that mean something elsewhere", () => {
  it.each(names)("[P53] [D-32] a workspace and directories called %j are as well protected as any", async (name) => {
    const world = makeWorld(name.slice(0, 240));
    try {
      const env = world.file(`${name}/.env`);
      const hook = world.file(`${name}/.git/hooks/${name}`);
      const skills = join(world.home, name);
      mkdirSync(skills);
      writeFileSync(join(skills, "key"), "the-secret\n");
      const environment = { ...world.environment, additions: { ...world.environment.additions, credentialPaths: [skills] } };
      const script = 'cd "$D"; echo x > .env; mv "$D" "$D.moved"; rm -f .env; echo x > ".git/hooks/$N"; mkdir new; echo x > new/.env; cat "$K/key"; echo x > "$K/key"; echo fine > fine';
      const command = commandIn(world, script, { policy: world.policy({ environment }) });
      const ran = await run(backend, { ...command, env: { ...command.env, D: join(world.workspace, name), N: name, K: skills } });
      expect(readFileSync(env, "utf8")).toBe("kept\n");
      expect(readFileSync(hook, "utf8")).toBe("kept\n");
      expect(readFileSync(join(skills, "key"), "utf8")).toBe("the-secret\n");
      expect(ran.output).not.toContain("the-secret");
      expect(existsSync(join(world.workspace, name, "new/.env"))).toBe(false);
      expect(readFileSync(join(world.workspace, name, "fine"), "utf8")).toBe("fine\n");
      expect(ran.notes.every((note) => !note.includes("\n"))).toBe(true);
    } finally {
      world.remove();
    }
  });

  it("[P53] names that are no UTF-8 are protected like others", async () => {
    const world = makeWorld();
    try {
      const directory = Buffer.concat([Buffer.from(`${world.workspace}/`), Buffer.from([0xff, 0x61, 0xfe])]);
      mkdirSync(directory);
      mkdirSync(Buffer.concat([directory, Buffer.from("/.vscode")]));
      const env = Buffer.concat([directory, Buffer.from("/.env")]);
      writeFileSync(env, "kept\n");
      const ran = await run(backend, commandIn(world, "cd *a*; echo x > .env; echo x > .vscode/s; mkdir n; echo x > n/.env; mv .env f; cd ..; mv *a* other"));
      expect(readFileSync(env, "utf8")).toBe("kept\n");
      expect(existsSync(Buffer.concat([directory, Buffer.from("/.vscode/s")]))).toBe(false);
      expect(existsSync(Buffer.concat([directory, Buffer.from("/n/.env")]))).toBe(false);
      expect(ran.violated).toBe(true);
    } finally {
      world.remove();
    }
  });

  it("[P53] a protected name under a link of the workspace is protected where it is", async () => {
    const world = makeWorld();
    try {
      const env = world.file("real/.env");
      symlinkSync(join(world.workspace, "real"), join(world.workspace, "link"));
      await run(backend, commandIn(world, "echo x > link/.env; echo x > link/.envrc; rm link; ln -s $TMPDIR link; echo x > link/.env"));
      expect(readFileSync(env, "utf8")).toBe("kept\n");
      expect(existsSync(join(world.workspace, "real/.envrc"))).toBe(false);
    } finally {
      world.remove();
    }
  });

  it("[P53] a grant with such a name opens exactly that", async () => {
    const world = makeWorld();
    try {
      const path = world.file("a\nb/.env");
      const other = world.file("a/.env");
      const grants: readonly PathGrant[] = [{ path, access: "write", scope: "exact" }];
      await run(backend, commandIn(world, `for f in */.env; do echo new > "$f"; done`, { policy: world.policy({ grants }) }));
      expect(readFileSync(path, "utf8")).toBe("new\n");
      expect(readFileSync(other, "utf8")).toBe("kept\n");
    } finally {
      world.remove();
    }
  });
});
