import * as fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { isUnder, realPathOf, SandboxPolicy, type PathGrant } from "@fencepost/sandbox";
import { compiledProfile, judgeByProfile, writeTargets, type Judgement } from "./judges.ts";
import { arbitraries } from "./arbitraries.ts";
import { buildWorld, type Setting } from "./world.ts";

/** Each policy is asked about so many paths: 1,250 policies make 50,000 cases. `npm run test:deep` makes ten times that. */
const pathsPerPolicy = 40;
const policies = process.env["FENCEPOST_DEEP"] ? 12_500 : 1250;
const timeoutMs = 600_000;

const world = buildWorld();
afterAll(() => world.remove());

const { somePath, someSetting } = arbitraries(world);

describe("the fence and the profile agree about whatever comes", () => {
  it.each(["exact", "folded"] as const)("[P10] [D-1] [D-21] [D-32] random policies and paths, case %s", (caseRule) => {
    let cases = 0;
    fc.assert(
      fc.property(someSetting, fc.array(somePath, { minLength: pathsPerPolicy, maxLength: pathsPerPolicy }), ({ mode, actor, workspaceRoot, grants, environment }, paths) => {
        const folds = caseRule === "folded";
        const policy = new SandboxPolicy({ mode, workspaceRoot, network: "host", environment: { ...environment, foldsCase: folds }, grants: folds ? spelledAlike(grants) : grants });
        const setting: Setting = { name: "", policy, actor };
        const profile = compiledProfile(setting);
        for (const path of paths) {
          cases += 1;
          const given = folds ? spelledAsIn(policy.grants, world.disk.resolve(path, true)) : path;
          // `/dev/fd` is a link into this very process, which the model of the disk does not have.
          const real = folds || path.startsWith("/dev") ? given : realPathOf(path);
          const byProfile = judgeByProfile(profile, world, given, caseRule);
          expect({ path, ...judgeByPolicy(setting, real) }).toEqual({ path, ...byProfile });
        }
      }),
      { numRuns: caseRule === "exact" ? policies : policies / 5 },
    );
    expect(cases).toBeGreaterThanOrEqual(caseRule === "exact" ? policies * pathsPerPolicy : (policies / 5) * pathsPerPolicy);
  }, timeoutMs);
});

function judgeByPolicy({ policy, actor }: Setting, real: string): Judgement {
  return { readable: policy.check(real, "read", actor).allowed, writable: writeTargets(world, real).every((target) => policy.check(target, "write", actor).allowed) };
}

/**
 * Without regard to case one place has one spelling, the one it was made in, and both judges are asked about that: what
 * a grant names counts as made. Only rules that close ignore case in the policy, so that none opens more than it says.
 */
function spelledAlike(grants: readonly PathGrant[]): readonly PathGrant[] {
  const alike: PathGrant[] = [];
  for (const grant of grants) alike.push({ ...grant, path: spelledAsIn(alike, world.disk.resolve(grant.path, true)) });
  return alike;
}

function spelledAsIn(grants: readonly PathGrant[], path: string): string {
  const known = grants.map((grant) => grant.path).find((granted) => isUnder(path.toLowerCase(), granted.toLowerCase()));
  return known === undefined ? path : known + path.slice(known.length);
}
