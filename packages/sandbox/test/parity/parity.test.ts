import { afterAll, describe, expect, it } from "vitest";
import { join } from "node:path";
import { resolveEnvironment } from "@fencepost/sandbox";
import { fenceJudge, profileJudge, type Judgement } from "./judges.ts";
import { buildWorld, settings, type Place, type Setting } from "./world.ts";

const world = buildWorld();
afterAll(() => world.remove());

const forMac = { ...world.environment, platform: "darwin" };

describe("the fence and the profile agree", () => {
  it.each(settings(world, forMac).map((setting) => [setting.name, setting] as const))("[P10] %s", async (_name, setting) => {
    expect(await told(profileJudge(world, "exact"), setting)).toEqual(await told(fenceJudge(world), setting));
  });

  it.each(settings(world, { ...forMac, foldsCase: true }).map((setting) => [setting.name, setting] as const))("[P10] without regard to case: %s", async (_name, setting) => {
    const places = world.places.map((place) => ({ ...place, path: world.disk.resolve(place.path, true) }));
    expect(await told(profileJudge(world, "folded"), setting, places)).toEqual(await told(fenceJudge(world), setting, places));
  });

  it.each(["home", ".", "tmp/inner", "ws/.git/inner", "repo/.git"])("[P10] [P49] in the workspace %s", async (workspace) => {
    const environment = { ...forMac, gitDirs: resolveEnvironment({ workspaceRoot: join(world.root, workspace) }).gitDirs };
    for (const setting of settings(world, environment, workspace)) {
      expect(await told(profileJudge(world, "exact"), setting)).toEqual(await told(fenceJudge(world), setting));
    }
  });

  it("[P10] the table holds refusals and permissions of every kind", async () => {
    const [first] = settings(world, forMac);
    if (!first) throw new Error("no settings");
    const judgements = await fenceJudge(world)(first, world.places);
    for (const [readable, writable] of [[true, true], [true, false], [false, false]]) {
      expect(judgements.filter((judgement) => judgement.readable === readable && judgement.writable === writable).length).toBeGreaterThan(5);
    }
  });
});

async function told(judge: ReturnType<typeof fenceJudge>, setting: Setting, places: readonly Place[] = world.places): Promise<readonly string[]> {
  const judgements: readonly Judgement[] = await judge(setting, places);
  return places.map((place, index) => `${place.path.replace(`${world.root}/`, "")}: ${describeOne(judgements[index])}`);
}

function describeOne(judgement: Judgement | undefined): string {
  return judgement ? `${judgement.readable ? "readable" : "unreadable"}, ${judgement.writable ? "writable" : "read-only"}` : "unjudged";
}
