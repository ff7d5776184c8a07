import * as fc from "fast-check";
import { join } from "node:path";
import { realPathOf, sandboxModes, type Actor, type PathGrant, type SandboxEnvironment, type SandboxMode } from "@fencepost/sandbox";
import type { World } from "./world.ts";

export interface RandomSetting {
  readonly mode: SandboxMode;
  readonly actor: Actor;
  readonly workspaceRoot: string;
  readonly grants: readonly PathGrant[];
  readonly environment: SandboxEnvironment;
}

/** Random policies and paths in a world: names that are protected, or nearly so, in every spelling and place. */
export function arbitraries(world: World, platform = "darwin"): { readonly somePath: fc.Arbitrary<string>; readonly someSetting: fc.Arbitrary<RandomSetting> } {
  const spice = [".git", "hooks", "modules", ".env", ".env.local", ".envdir", ".vscode", ".husky", ".bashrc", ".gitconfig", ".github", "a b", "x'y", "n\nl", "-f", "\u00fc", "src", "lib", "locked", "caf\u00e9", ".ours"];
  const starts = world.disk.paths.filter((path) => path.startsWith(world.root)).concat(["/dev", "/dev/fd", "/dev/pts", "/etc", "/", "/tmp"]);

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
    linkedPlaces: fc.subarray([
      { path: join(world.root, "ws/pkg/real.env"), tier: "sensitive" as const, covers: "subtree" as const },
      { path: join(world.root, "ws/lib"), tier: "sensitive" as const, covers: "entry" as const },
      { path: join(world.root, "tmp/src"), tier: "hard-protected" as const, covers: "subtree" as const },
    ]),
    names: fc.boolean(),
  }).map(({ tempRoots, gitDirs, hardProtectedPaths, credentialPaths, linkedPlaces, names }) => ({
    ...world.environment,
    platform,
    tempRoots,
    gitDirs,
    aliases: { hardProtectedPaths: [], credentialPaths: [], ...world.environment.aliases, linkedPlaces },
    additions: { ...world.environment.additions, hardProtectedPaths, credentialPaths, hardProtectedNames: names ? ["locked"] : [], sensitiveNames: names ? [".ours", "caf\u00e9"] : [] },
  }));

  const someSetting = fc.record({
    mode: fc.constantFrom(...sandboxModes),
    actor: fc.constantFrom("bash" as const, "file-tool" as const),
    workspaceRoot: fc.constantFrom("ws", "ws", "ws", "home", "ws/.git", "tmp/r", ".", "ws/vendor/lib").map((path) => join(world.root, path)),
    grants: fc.array(someGrant, { maxLength: 4 }),
    environment: someEnvironment,
  });

  return { somePath, someSetting };
}

/** The same name with some of its ASCII letters in upper case. */
function caseVariant(name: string): fc.Arbitrary<string> {
  const letters = Array.from(name);
  return fc.array(fc.boolean(), { minLength: letters.length, maxLength: letters.length }).map((upper) => letters.map((letter, index) => raise(letter, upper[index])).join(""));
}

function raise(letter: string, upper: boolean | undefined): string {
  return upper && /^[a-z]$/.test(letter) ? letter.toUpperCase() : letter;
}
