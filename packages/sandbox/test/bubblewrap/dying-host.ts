import { spawn } from "node:child_process";
import { bubblewrapBackend, SandboxPolicy } from "../../src/index.ts";
import { hostedCommand } from "../quarantine/hosted-command.ts";

/** A host that is killed in the moment in which it has started its runner, before it knows of it. */
const command = hostedCommand();
const launch = await bubblewrapBackend().prepare({ ...command, policy: new SandboxPolicy(command.policy) });
if (launch.refused) throw new Error(launch.message);
const stdio = launch.descriptors.map((descriptor) => (descriptor === "status" ? ("pipe" as const) : descriptor));
spawn(launch.file, [...launch.args], { cwd: launch.cwd, env: { ...launch.env }, detached: true, stdio: ["ignore", "ignore", "ignore", ...stdio] });
process.kill(process.pid, "SIGKILL");
