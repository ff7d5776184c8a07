import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { platformBackend, resolveEnvironment, SandboxPolicy } from "@fencepost/sandbox";
import { localSession } from "@fencepost/tools";
import { testTool } from "@fencepost/tools/testing";
import { countLinesTool } from "./count-lines.ts";

testTool(countLinesTool, async () => {
  const workspaceRoot = realpathSync(mkdtempSync(join(tmpdir(), "count-lines-")));
  const environment = resolveEnvironment({ workspaceRoot, stateHome: join(workspaceRoot, ".state") });
  const backend = platformBackend();
  const session = await localSession({ sessionId: "test", workspaceRoot, environment, backend });
  const policy = new SandboxPolicy({ mode: "auto", workspaceRoot, grants: [], environment, network: "host" });
  return {
    session,
    policy,
    async remove() {
      await session.tasks?.close();
      await session.search.close();
      await backend.close();
      rmSync(workspaceRoot, { recursive: true, force: true });
    },
  };
});
