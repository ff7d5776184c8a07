import * as fc from "fast-check";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isBelow, platformBackend, SandboxPolicy } from "@fencepost/sandbox";
import { arbitraries } from "./arbitraries.ts";
import { askable, kernelJudge } from "./kernel-judge.ts";
import { fenceJudge, type Judgement } from "./judges.ts";
import { buildWorld, settings, type Place } from "./world.ts";

const world = buildWorld();
const backend = platformBackend();
const kernelWorks = process.platform === "linux" || process.platform === "darwin";
const places = askable(world.places);
afterAll(async () => {
  await backend.close();
  world.remove();
});

describe.runIf(kernelWorks)("the fence and the kernel agree", () => {
  beforeAll(async () => expect(await backend.probe()).toEqual({ available: true }));

  it.each(settings(world).map((setting) => [setting.name, setting] as const))("[P10] [P4] [P5] [P6] [P7] [P8] [P9] [P20] [P21] [P53] [D-4] [D-30] %s", async (_name, setting) => {
    const byKernel = await kernelJudge(world, backend)(setting, places);
    const byFence = await fenceJudge(world, process.platform === "linux")(setting, places);
    expect(lines(byKernel, byKernel)).toEqual(lines(byFence, byKernel));
  });
});

/** 15 policies with 40 paths each, of which some are impossible. `npm run test:deep` asks ten times as many. */
const policies = process.env["FENCEPOST_DEEP"] ? 150 : 15;
const pathsPerPolicy = 40;
const leastCases = 300;
const timeoutMs = 600_000;

describe.runIf(kernelWorks)("the fence and the kernel agree about whatever comes", () => {
  it("[P10] random policies and paths", async () => {
    const { somePath, someSetting } = arbitraries(world, process.platform);
    const somePaths = fc.array(somePath.filter((path) => path.startsWith(`${world.root}/`)), { minLength: pathsPerPolicy, maxLength: pathsPerPolicy });
    let cases = 0;
    await fc.assert(
      fc.asyncProperty(someSetting, somePaths, async ({ mode, workspaceRoot, environment, ...random }, paths) => {
        const grants = random.grants.filter((grant) => isBelow(grant.path, world.root));
        const policy = new SandboxPolicy({ mode, workspaceRoot, grants, environment, network: "host" });
        const asked = possible(paths).map((path): Place => ({ path, is: "missing" }));
        cases += asked.length;
        const setting = { name: "", policy, actor: "bash" as const };
        const byKernel = await kernelJudge(world, backend)(setting, asked);
        const byFence = await fenceJudge(world, process.platform === "linux")(setting, asked);
        expect(lines(byKernel, byKernel, asked)).toEqual(lines(byFence, byKernel, asked));
      }),
      { numRuns: policies, endOnFailure: true },
    );
    expect(cases).toBeGreaterThanOrEqual(leastCases);
  }, timeoutMs);
});

/**
 * Without paths below a file, below another one that the probe makes a file, or below a link to nothing; and without
 * what a protected link leads to, which bubblewrap keeps read-only even where the fence would let it be written.
 */
function possible(paths: readonly string[]): readonly string[] {
  const resolved = paths.map((path) => ({ path, real: world.disk.resolve(path, false) }));
  const isFile = (real: string): boolean => world.disk.at(real)?.is !== "directory";
  const taken = [...resolved.map(({ real }) => real), ...world.disk.paths].filter(isFile);
  const dangling = join(world.root, "ws/dangling");
  const behindProtectedLink = join(world.root, "outside/file");
  return resolved.filter(({ path, real }) => !taken.some((file) => isBelow(real, file)) && !path.startsWith(`${dangling}/`) && real !== behindProtectedLink).map(({ path }) => path);
}

/** Where there is nothing to read, a kernel cannot be asked, and the fence's answer is left out. */
function lines(judgements: readonly Judgement[], byKernel: readonly Judgement[], asked: readonly Place[] = places): readonly string[] {
  return asked.map((place: Place, index) => {
    const judgement = judgements[index];
    const readable = byKernel[index]?.readable === undefined ? "not there" : judgement?.readable ? "readable" : "unreadable";
    return `${place.path.replace(`${world.root}/`, "")}: ${readable}, ${judgement?.writable ? "writable" : "read-only"}`;
  });
}
