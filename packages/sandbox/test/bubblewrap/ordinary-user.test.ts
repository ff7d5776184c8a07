import { spawn } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** A user that no machine gives to anybody. It needs no entry anywhere. */
const uid = 54_321;

const timeoutMs = 300_000;

/** These files' own tests again, by a user without privileges. Root is asked by the files themselves. */
const again = ["backend/contract", "bubblewrap/hardening", "bubblewrap/sockets", "bubblewrap/system-calls", "bubblewrap/ways-out", "quarantine/closed", "quarantine/neighbours", "quarantine/recovery", "platform/doctor"].map((name) => `packages/sandbox/test/${name}.test.ts`);

// Without root there is no other user to become, and the files run as an ordinary user anyway.
describe.runIf(process.platform === "linux" && process.geteuid?.() === 0)("as an ordinary user", () => {
  it("[P5] [P7] [P9] [P50] [P51] [P52] [P54] the contract, the hardening and the quarantine hold", async () => {
    const home = mkdtempSync("/var/lib/fencepost-test-");
    chownSync(home, uid, uid);
    try {
      const root = fileURLToPath(new URL("../../../..", import.meta.url));
      const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
      const child = spawn(process.execPath, [vitest, "run", "--configLoader", "runner", "--cache=false", "--maxWorkers=1", ...again], {
        cwd: root,
        uid,
        gid: uid,
        env: { PATH: "/usr/bin:/bin", HOME: home, TMPDIR: "/tmp", FENCEPOST_TEST_ROOT: home, NO_COLOR: "1" },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let output = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Uint8Array) => (output += Buffer.from(chunk).toString("utf8")));
      const code = await new Promise((resolve) => child.once("close", resolve));
      expect(code, output).toBe(0);
      expect(output).toMatch(/Tests\s+\d+ passed/);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  }, timeoutMs);
});
