import * as fc from "fast-check";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { isUnder, realPathOf, SandboxPolicy, sandboxModes, type PathGrant, type SandboxEnvironment } from "@fencepost/sandbox";
import { compiledProfile, judgeByProfile, probeChild, type Judgement } from "./judges.ts";
import { buildWorld, type Setting } from "./world.ts";

/** Each policy is asked about so many paths: 1,250 policies make 50,000 cases. `npm run test:deep` makes ten times that. */
const pathsPerPolicy = 40;
const policies = process.env["FENCEPOST_DEEP"] ? 12_500 : 1250;
const timeoutMs = 600_000;

const world = buildWorld();
afterAll(() => world.remove());

const spice = [".git", "hooks", "modules", ".env", ".env.local", ".envdir", ".vscode", ".husky", ".bashrc", ".gitconfig", ".github", "a b", "x'y", "n\nl", "-f", "\u00fc", "src", "lib", "locked", "caf\u00e9", ".ours"];
const starts = world.disk.paths.filter((path) => path.startsWith(world.root)).concat(["/dev", "/dev/fd", "/dev/pts", "/etc", "/", "/tmp"]);

const caseVariant = (name: string): fc.Arbitrary<string> =>
  fc.array(fc.boolean(), { minLength: name.length, maxLength: name.length }).map((upper) => Array.from(name, (letter, index) => ({ letter, index })).map(({ letter, index }) => (upper[index] && /^[a-z]$/.test(letter) ? letter.toUpperCase() : letter)).join(""));
const segment = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...spice) },
  { weight: 3, arbitrary: fc.constantFrom(...spice).chain(caseVariant) },
  { weight: 1, arbitrary: fc.constantFrom("null", "zero", "3", "12", "ttys001", ".ba\u017fhrc", "hoo\u212as", "CAFE\u0301", ".ssh", "id_rsa", "to-ssh", "to-tmp") },
);
const somePath = fc.tuple(fc.constantFrom(...starts), fc.array(segment, { maxLength: 4 })).map(([start, more]) => join(start, ...more));
const someGrant: fc.Arbitrary<PathGrant> = fc.record({ path: somePath.map((path) => realPathOf(path)), access: fc.constantFrom("read", "write"), scope: fc.constantFrom("exact", "subtree") });

/** Environments differ in what is writable, what is git's and what the embedder adds. */
const someEnvironment: fc.Arbitrary<SandboxEnvironment> = fc.record({
  tempRoots: fc.subarray(["tmp", "ws/pkg", "home/.cache", "outside", "ws/.git"].map((path) => join(world.root, path))),
  gitDirs: fc.subarray(["repo/.git", "ws/src", "outside/.git", "tmp/r/.git"].map((path) => join(world.root, path))),
  hardProtectedPaths: fc.subarray(["tmp/kept", "ws/src/kept", "outside"].map((path) => join(world.root, path))),
  credentialPaths: fc.subarray(["tmp/token", "ws/.envdir", "home/.ssh/inner"].map((path) => join(world.root, path))),
  names: fc.boolean(),
}).map(({ tempRoots, gitDirs, hardProtectedPaths, credentialPaths, names }) => ({
  ...world.environment,
  platform: "darwin",
  tempRoots,
  gitDirs,
  additions: { ...world.environment.additions, hardProtectedPaths, credentialPaths, hardProtectedNames: names ? ["locked"] : [], sensitiveNames: names ? [".ours", "caf\u00e9"] : [] },
}));

const someSetting = fc.record({
  mode: fc.constantFrom(...sandboxModes),
  actor: fc.constantFrom("bash" as const, "file-tool" as const),
  workspace: fc.constantFrom("ws", "ws", "ws", "home", "ws/.git", "tmp/r", ".", "ws/vendor/lib"),
  grants: fc.array(someGrant, { maxLength: 4 }),
  environment: someEnvironment,
});

describe("the fence and the profile agree about whatever comes", () => {
  it.each(["exact", "folded"] as const)("[P10] [D-1] [D-21] [D-32] random policies and paths, case %s", (caseRule) => {
    let cases = 0;
    fc.assert(
      fc.property(someSetting, fc.array(somePath, { minLength: pathsPerPolicy, maxLength: pathsPerPolicy }), ({ mode, actor, workspace, grants, environment }, paths) => {
        const folds = caseRule === "folded";
        const policy = new SandboxPolicy({ mode, workspaceRoot: join(world.root, workspace), network: "host", environment: { ...environment, foldsCase: folds }, grants: folds ? spelledAlike(grants) : grants });
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
  const target = world.disk.at(real)?.is === "directory" ? (real === "/" ? `/${probeChild}` : `${real}/${probeChild}`) : real;
  return { readable: policy.check(real, "read", actor).allowed, writable: policy.check(target, "write", actor).allowed };
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
