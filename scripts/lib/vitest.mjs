import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./set-up.mjs";

/** Runs tests with vitest's own output and counts them from its JSON report. */
export async function runVitest(args, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), "fencepost-report-"));
  const report = join(folder, "report.json");
  try {
    const vitest = join(root, "node_modules/vitest/vitest.mjs");
    const child = spawn(process.execPath, [vitest, "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", "inherit", "inherit"],
    });
    const code = await new Promise((resolve) => {
      child.once("error", () => resolve(127));
      child.once("exit", (exitCode) => resolve(exitCode ?? 1));
    });
    return { code, ...count(report) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A file that could not even be loaded is one failure. */
function count(report) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests = 0, testResults } = JSON.parse(readFileSync(report, "utf8"));
    const broken = testResults.filter((file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed")).length;
    return { passed: numPassedTests, failed: numFailedTests + broken, skipped: numPendingTests + numTodoTests };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}
