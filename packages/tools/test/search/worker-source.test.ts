import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

it("the embedded worker is the bundle of today's sources", () => {
  const script = fileURLToPath(new URL("../../scripts/embed-search-worker.mjs", import.meta.url));
  expect(execFileSync(process.execPath, [script, "--check"]).toString()).toBe("up to date\n");
});
