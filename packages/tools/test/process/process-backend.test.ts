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
