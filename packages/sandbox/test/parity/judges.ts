import { dirname } from "node:path";
import { isBelow, realPathOf, type SandboxPolicy } from "@fencepost/sandbox";
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

/**
 * What has to be written for a place to count as writable: a child of a directory, a file, or a new file together with
 * the directories above it that are not there yet.
 */
export function writeTargets(world: World, real: string): readonly string[] {
  const entry = world.disk.at(real);
  if (entry?.is === "directory") return [real === "/" ? `/${probeChild}` : `${real}/${probeChild}`];
  const targets = [real];
  for (let above = dirname(real); real.startsWith(world.root) && world.disk.at(above) === undefined; above = dirname(above)) targets.push(above);
  return targets;
}

/**
 * Judge 1: the policy on the path as the fence resolves it on the real disk.
 *
 * @param makesParents whether a grant for a path brings the directories above it, as bubblewrap's placeholder does
 */
export function fenceJudge(world: World, makesParents = false): Judge {
  return ({ policy, actor }, places) =>
    places.map((place) => {
      const real = realPathOf(place.path);
      return {
        readable: policy.check(real, "read", actor).allowed,
        writable: writeTargets(world, real).every((path) => policy.check(path, "write", actor).allowed || (makesParents && world.disk.at(path) === undefined && leadsToGrant(policy, path))),
      };
    });
}

function leadsToGrant(policy: SandboxPolicy, path: string): boolean {
  return policy.grants.some((grant) => grant.access === "write" && isBelow(grant.path, path) && policy.check(grant.path, "write", "bash").allowed);
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
  const write: Syscall["call"] & ("open-append" | "create") = entry?.is === "file" ? "open-append" : "create";
  return {
    readable: allows(profile, { call: entry?.is === "directory" ? "list" : "open-read", path: real }, caseRule),
    writable: writeTargets(world, real).every((target) => allows(profile, { call: write, path: target }, caseRule)),
  };
}
