import { bubblewrapBackend, SandboxPolicy } from "../../src/index.ts";
import { start } from "../bubblewrap/world.ts";
import { hostedCommand } from "./hosted-command.ts";

/** A host of its own process that runs one command and waits: made to be killed. */
const command = hostedCommand();
const running = await start(bubblewrapBackend(), { ...command, policy: new SandboxPolicy(command.policy) });
await running.done;
