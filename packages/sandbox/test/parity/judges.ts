import { realPathOf } from "@fencepost/sandbox";
import { allows, disputedPoints, parseProfile, type CaseRule, type Profile, type Syscall } from "@fencepost/profile-evaluator";
import { seatbeltProfile } from "../../src/seatbelt/profile.ts";
import type { Place, Setting, World } from "./world.ts";

/** `readable` is undefined where there is nothing to read. */
export interface Judgement {
  readonly readable: boolean | undefined;
  readonly writable: boolean;
}

/** Says of every place whether it can be read and written under one setting. */
export type Judge = (setting: Setting, places: readonly Place[]) => Promise<readonly Judgement[]> | readonly Judgement[];

/** The name of the child with which a directory is asked whether it can be written. */
export const probeChild = "fence-probe";

/** Judge 1: the policy on the path as the fence resolves it on the real disk. */
export function fenceJudge(world: World): Judge {
  return ({ policy, actor }, places) =>
    places.map((place) => {
      const real = realPathOf(place.path);
      const target = world.disk.at(real)?.is === "directory" ? `${real}/${probeChild}` : real;
      return {
        readable: policy.check(real, "read", actor).allowed,
        writable: policy.check(target, "write", actor).allowed,
      };
    });
}

/** Judge 2: the generated profile, on the path as the model of the disk resolves it. */
export function profileJudge(world: World, caseRule: CaseRule): Judge {
  return (setting, places) => {
    const profile = compiledProfile(setting);
    return places.map((place) => judgeByProfile(profile, world, place.path, caseRule));
  };
}

/** @throws where the profile would not load, or says something on which accounts of the language differ */
export function compiledProfile({ policy, actor }: Pick<Setting, "policy" | "actor">): Profile {
  const { text, parameters } = seatbeltProfile(policy, actor);
  const profile = parseProfile(text, parameters);
  const disputed = disputedPoints(profile);
  if (disputed.length > 0) throw new Error(`the profile is disputed: ${JSON.stringify(disputed)}`);
  return profile;
}

export function judgeByProfile(profile: Profile, world: World, path: string, caseRule: CaseRule): Judgement {
  const real = world.disk.resolve(path, caseRule === "folded");
  const entry = world.disk.at(real);
  const isDirectory = entry?.is === "directory";
  const write: Syscall = isDirectory ? { call: "create", path: real === "/" ? `/${probeChild}` : `${real}/${probeChild}` } : { call: entry ? "open-append" : "create", path: real };
  return {
    readable: allows(profile, { call: isDirectory ? "list" : "open-read", path: real }, caseRule),
    writable: allows(profile, write, caseRule),
  };
}
