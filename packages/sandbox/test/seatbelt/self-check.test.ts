import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { judgeSelfCheck, selfCheck, validateProfile } from "../../src/seatbelt/self-check.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "fence-runner-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** A runner that does as the script says. `$@` are the arguments sandbox-exec would get. */
function runner(script: string): string {
  const path = join(directory, "sandbox-exec");
  writeFileSync(path, `#!/bin/bash\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const passThrough = 'while [ "$1" != -- ]; do shift; done; shift';
const leftovers = (): readonly string[] => readdirSync(tmpdir()).filter((name) => name.startsWith("fencepost-self-check-"));

describe("the self-check", () => {
  it("[P12] fails a sandbox that does not deny", async () => {
    expect(await selfCheck(runner(`${passThrough}; exec "$@"`))).toMatchObject({ available: false, reason: "sandbox-exec does not enforce what it is told" });
  });

  it("[P12] does not believe words: a runner that only says that it refuses", async () => {
    const talker = runner(`${passThrough}; "$@"; echo "Operation not permitted" >&2; exit 1`);
    expect(await selfCheck(talker)).toMatchObject({ available: false, reason: "sandbox-exec does not enforce what it is told" });
    const silent = runner(`${passThrough}; echo in > "$5"; exit 1`);
    expect(await selfCheck(silent)).toMatchObject({ available: false, reason: "the sandbox did not say that it refuses" });
  });

  it("[P12] says so where there is no temp directory", async () => {
    vi.stubEnv("TMPDIR", join(directory, "missing"));
    try {
      expect(await selfCheck(runner("exit 0"))).toMatchObject({ available: false, reason: expect.stringContaining("could not make a directory"), remedy: expect.stringContaining("TMPDIR") });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it("[P12] believes a refusal", async () => {
    const refusing = runner(`${passThrough}; echo in > "$5"; echo "cat: x: Operation not permitted" >&2; exit 1`);
    expect(await selfCheck(refusing)).toEqual({ available: true });
  });

  it("[P12] gives a reason and a remedy for a runner that is missing or fails", async () => {
    expect(await selfCheck(join(directory, "absent"))).toMatchObject({ available: false, reason: expect.stringContaining("cannot run a command") });
    expect(await selfCheck(runner("echo 'sandbox-exec: no such file' >&2; exit 65"))).toMatchObject({ reason: "sandbox-exec cannot run a command: sandbox-exec: no such file" });
  });

  it("[D-39] tells a sandbox around this process from a refusal", async () => {
    expect(await selfCheck(runner("echo 'sandbox-exec: sandbox_apply: Operation not permitted' >&2; exit 71"))).toMatchObject({
      available: false,
      reason: "this process already runs inside another sandbox, and sandboxes do not nest",
    });
  });

  it("[P12] runs several at once in directories of their own and leaves none behind", async () => {
    const refusing = runner(`${passThrough}; echo in > "$5"; echo "$6" >> ${join(directory, "secrets")}; echo "Operation not permitted" >&2; exit 1`);
    const before = leftovers().length;
    expect(await Promise.all([1, 2, 3].map(() => selfCheck(refusing)))).toEqual([{ available: true }, { available: true }, { available: true }]);
    expect(leftovers()).toHaveLength(before);
  });

  it("reads the findings before the words", () => {
    const run = { code: 1, output: "Operation not permitted" };
    expect(judgeSelfCheck(run, { wroteInside: true, readSecret: false, wroteOutside: false }).available).toBe(true);
    for (const found of [{ readSecret: true }, { wroteOutside: true }, { wroteInside: false }]) {
      expect(judgeSelfCheck(run, { wroteInside: true, readSecret: false, wroteOutside: false, ...found }).available).toBe(false);
    }
  });

  it("validates a profile with a program that does nothing", async () => {
    const profile = { text: "(version 1)\n(allow default)\n", parameters: { P0: "/a=b" } };
    const recorded = join(directory, "arguments");
    expect(await validateProfile(runner(`printf '%s\\n' "$@" > ${recorded}`), profile)).toBeUndefined();
    expect(await validateProfile(runner("echo 'sandbox-exec: bad' >&2; exit 65"), profile)).toBe("sandbox-exec: bad");
  });
});
