import { dirname } from "node:path";
import { bubblewrapBackend, resolveEnvironment, SandboxPolicy } from "@fencepost/sandbox";
import { createLocalProcessBackend } from "../../src/process/local-process-backend.ts";

const [workspace = "", home = "", mark = ""] = process.argv.slice(2);

/** Starts a call, a background command and a server, with children that try to get away, and waits to be killed. */
async function startAll(): Promise<void> {
  const environment = resolveEnvironment({ workspaceRoot: workspace, env: { HOME: home } });
  const policy = new SandboxPolicy({ mode: "auto", workspaceRoot: workspace, grants: [], environment, network: "host" });
  const backend = createLocalProcessBackend(bubblewrapBackend());
  let calls = 0;
  const stubborn = `setsid sleep ${mark} & nohup sleep ${mark} & disown -a; trap '' TERM HUP; sleep ${mark}`;
  const server = `node -e 'require("http").createServer((_, answer) => answer.end("up")).listen(0, "127.0.0.1", function () { require("fs").writeFileSync("port", String(this.address().port)) })' & wait`;
  for (const [background, command] of [[false, stubborn], [true, stubborn], [true, server]] as const) {
    await backend.start(
      {
        policy,
        argv: ["/bin/bash", "-c", command],
        workingDirectory: workspace,
        env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` },
        sessionId: "session",
        callId: `call-${(calls += 1)}`,
        background,
      },
      { onOutput: () => undefined },
    );
  }
}

await startAll();
setInterval(() => undefined, 1000);
