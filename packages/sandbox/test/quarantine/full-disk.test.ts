import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { bubblewrapBackend, dropQuarantined, listQuarantine, restoreQuarantined } from "../../src/index.ts";
import { commandIn, makeWorld, run, start, type World } from "../bubblewrap/world.ts";

const backend = bubblewrapBackend();
let world: World;
let mounted: boolean;
beforeEach(() => {
  world = makeWorld();
  mounted = process.platform === "linux" && spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", world.environment.stateHome]).status === 0;
});
afterEach(() => {
  if (mounted) execFileSync("umount", ["-l", world.environment.stateHome]);
  world.remove();
});
afterAll(() => backend.close());

const at = (path: string): string => join(world.workspace, path);

/** Takes all that is left. Below a page no file grows any more. */
function fillUp(): void {
  spawnSync("dd", ["if=/dev/zero", `of=${join(world.environment.stateHome, "filler")}`, "bs=4096"], { stdio: "ignore" });
}

/** Makes a new protected file and directory while there is no room for them. */
async function setAside(): Promise<readonly string[]> {
  const running = await start(backend, commandIn(world, "mkdir -p pkg/.vscode; echo evil > pkg/.vscode/tasks.json; echo evil > .envrc; touch made; until [ -e go ]; do sleep 0.02; done"));
  while (!existsSync(at("made"))) await new Promise((resolve) => setTimeout(resolve, 5));
  fillUp();
  writeFileSync(at("go"), "");
  const ran = await running.done;
  expect([ran.violated, ran.classify("")]).toEqual([true, "denied"]);
  return ran.notes;
}

// Only root may mount a small disk to fill, and not in every container.
describe.runIf(process.platform === "linux" && process.geteuid?.() === 0)("where the disk of the state home is full", () => {
  it("[P50] new protected names are renamed where they are, listed, and can be put back or dropped", async ({ skip }) => {
    skip(!mounted, "this container does not allow a mount");
    expect(await setAside()).toEqual(["[sandbox: 2 new protected paths could not be moved to quarantine and were renamed where they are, to fencepost-set-aside-…: .envrc, pkg/.vscode]"]);
    for (const path of [".envrc", "pkg/.vscode"]) expect(existsSync(at(path)), path).toBe(false);
    expect(readdirSync(at("pkg"))).toEqual([expect.stringMatching(/^fencepost-set-aside-[0-9a-f]{12}-\.vscode$/)]);
    const entries = listQuarantine(world.environment.stateHome);
    expect(entries.map(({ path, why }) => [path, why])).toEqual([[at(".envrc"), "new"], [at("pkg/.vscode"), "new"]]);
    for (const { storedAt } of entries) expect(existsSync(storedAt), storedAt).toBe(true);

    const [file, directory] = entries;
    expect(restoreQuarantined(world.environment.stateHome, file?.id ?? "")).toEqual({ done: true, path: at(".envrc") });
    expect(readFileSync(at(".envrc"), "utf8")).toBe("evil\n");
    expect(dropQuarantined(world.environment.stateHome, directory?.id ?? "")).toEqual({ done: true, path: at("pkg/.vscode") });
    expect([readdirSync(at("pkg")), listQuarantine(world.environment.stateHome)]).toEqual([[], []]);
  });

  it("[P50] they are moved to quarantine as soon as there is room again", async ({ skip }) => {
    skip(!mounted, "this container does not allow a mount");
    await setAside();
    rmSync(join(world.environment.stateHome, "filler"));
    await run(backend, commandIn(world, "true"));
    expect(readdirSync(world.workspace).toSorted()).toEqual(["go", "made", "pkg"]);
    const entries = listQuarantine(world.environment.stateHome);
    expect(entries.map(({ path }) => path)).toEqual([at(".envrc"), at("pkg/.vscode")]);
    for (const { id } of entries) expect(restoreQuarantined(world.environment.stateHome, id)).toMatchObject({ done: true });
    expect(readFileSync(at("pkg/.vscode/tasks.json"), "utf8")).toBe("evil\n");
  });
});
