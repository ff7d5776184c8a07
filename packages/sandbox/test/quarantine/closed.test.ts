import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { bubblewrapBackend, dropQuarantined, listQuarantine } from "../../src/index.ts";
import { commandIn, makeWorld, run, type World } from "../bubblewrap/world.ts";

const backend = bubblewrapBackend();
let world: World;
beforeEach(() => (world = makeWorld()));
afterEach(() => {
  for (const path of ["a", "b/c", "b"]) if (existsSync(join(world.workspace, path))) chmodSync(join(world.workspace, path), 0o700);
  world.remove();
});
afterAll(() => backend.close());

const at = (path: string): string => join(world.workspace, path);

// Root may do all of this anyway: `ordinary-user.test.ts` runs this file again without privileges.
describe.runIf(process.platform === "linux")("what a command has closed with chmod behind itself", () => {
  it("[P50] new protected names do not survive in, or as, directories without write permission", async () => {
    const script = "mkdir -p .vscode a/.idea b/c/.claude/x; for d in .vscode a/.idea b/c/.claude/x; do echo evil > $d/f; done; chmod 000 b/c/.claude/x/f; chmod 111 b/c/.claude/x; chmod 555 .vscode a/.idea a b/c/.claude b/c b";
    const ran = await run(backend, commandIn(world, script));
    expect(ran.notes.join("\n")).not.toContain("could not be put in order");
    for (const gone of [".vscode", "a/.idea", "b/c/.claude"]) expect(lstatSync(at(gone), { throwIfNoEntry: false }), gone).toBeUndefined();
    expect(listQuarantine(world.environment.stateHome)).toHaveLength(3);
    for (const path of ["a", "b", "b/c"]) expect(statSync(at(path)).mode & 0o777, path).toBe(0o555);
    for (const { id } of listQuarantine(world.environment.stateHome)) expect(dropQuarantined(world.environment.stateHome, id)).toMatchObject({ done: true });
    expect(listQuarantine(world.environment.stateHome)).toEqual([]);
  });

  it("[P50] a protected file beyond the mounts is put back although it and its directory were closed", async () => {
    mkdirSync(at("a"));
    for (let index = 100; index < 160; index += 1) world.file(`a/.env${index}`, `${index}\n`);
    const ran = await run(backend, commandIn(world, "cd a; for f in .env*; do echo evil > $f && chmod 000 $f; done 2>/dev/null; cd ..; chmod 000 a; true"));
    expect(ran.notes.join("\n")).not.toContain("could not be put in order");
    expect(ran.violated).toBe(true);
    chmodSync(at("a"), 0o700);
    for (let index = 100; index < 160; index += 1) expect(readFileSync(at(`a/.env${index}`), "utf8")).toBe(`${index}\n`);
  });

  it("[P50] a place that must stay missing does not keep the rest from being moved where the way to it was closed", async () => {
    const place = join(world.temp, "closed", "settings");
    const environment = { ...world.environment, aliases: { hardProtectedPaths: [], credentialPaths: [], linkedPlaces: [{ path: place, tier: "sensitive", covers: "subtree" } as const] } };
    const script = `mkdir ${join(world.temp, "closed")} ${place}; chmod 000 ${join(world.temp, "closed")}; mkdir -p a/.vscode`;
    const ran = await run(backend, commandIn(world, script, { policy: world.policy({ environment }) }));
    expect(ran.violated).toBe(true);
    expect(statSync(join(world.temp, "closed")).mode & 0o777).toBe(0);
    expect(existsSync(at("a/.vscode"))).toBe(false);
    expect(listQuarantine(world.environment.stateHome).map(({ path }) => path).toSorted()).toEqual([place, at("a/.vscode")].toSorted());
    chmodSync(join(world.temp, "closed"), 0o700);
  });

  it("[P50] [P5] what was protected in a directory that was closed before stays, and stays protected", async () => {
    world.file("a/.git/config", "kept\n");
    world.file("a/.env", "kept\n");
    chmodSync(at("a"), 0);
    expect(await run(backend, commandIn(world, "true"))).toMatchObject({ violated: false, notes: [] });
    expect(statSync(at("a")).mode & 0o777).toBe(0);
    const ran = await run(backend, commandIn(world, "chmod 700 a; echo evil > a/.git/config; echo evil > a/.env; mkdir a/.vscode; chmod 000 a"));
    expect(ran.output).toContain("Read-only file system");
    chmodSync(at("a"), 0o700);
    expect([readFileSync(at("a/.git/config"), "utf8"), readFileSync(at("a/.env"), "utf8"), existsSync(at("a/.vscode"))]).toEqual(["kept\n", "kept\n", false]);
    expect(listQuarantine(world.environment.stateHome).map(({ path }) => path)).toEqual([at("a/.vscode")]);
  });
});
