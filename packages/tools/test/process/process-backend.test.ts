import { expect, it } from "vitest";
import { bubblewrapBackend, type SandboxBackend } from "@fencepost/sandbox";
import { createLocalProcessBackend } from "../../src/process/local-process-backend.ts";
import { processScenarios, testProcessBackend, type ProcessFixture } from "../../src/testing/process-suite.ts";
import { createScriptedProcesses } from "../../src/testing/scripted-processes.ts";
import { makePlace, openTestSession } from "./test-session.ts";
import { createSandboxDouble } from "./unsandboxed-backend.ts";

function fixtureWith(backendOf: (workspace: string) => ProcessFixture["backend"], sandbox?: SandboxBackend): () => Promise<ProcessFixture> {
  return async () => {
    const place = makePlace();
    const { session, policy } = openTestSession({ place });
    return {
      backend: backendOf(place.workspace),
      policy,
      workspace: place.workspace,
      env: session.environment,
      async remove() {
        await sandbox?.close();
        place.remove();
      },
    };
  };
}

testProcessBackend("scripted", fixtureWith((workspace) => createScriptedProcesses({ scripts: processScenarios, directories: [workspace] })));

testProcessBackend("local, with a double for the sandbox", fixtureWith(() => createLocalProcessBackend(createSandboxDouble())));

// The kernel of another platform is tested where it runs.
if (process.platform === "linux") testProcessBackend("local, in bubblewrap", fixtureWith(() => createLocalProcessBackend(bubblewrapBackend())));

it("[B-60] a shell that is missing is named, with what to do, and nothing is started", async () => {
  const place = makePlace();
  const { session, policy } = openTestSession({ place });
  const sandbox = createSandboxDouble();
  const start = await createLocalProcessBackend(sandbox).start(
    { policy, argv: ["/bin/no-such-shell", "-c", "true"], workingDirectory: place.workspace, env: session.environment, sessionId: "s", callId: "c" },
    { onOutput: () => undefined },
  );
  expect(start).toEqual({ started: false, kind: "failed", message: "The command could not start: /bin/no-such-shell is not installed on this machine. Ask the user to install it." });
  expect(sandbox.commands).toEqual([]);
  place.remove();
});
