import { bubblewrapBackend, SandboxPolicy, type SandboxCommand } from "../../src/index.ts";
import { start } from "../bubblewrap/world.ts";

/** A host of its own process that runs one command and waits: made to be killed. */
const command: Omit<SandboxCommand, "policy"> & { readonly policy: ConstructorParameters<typeof SandboxPolicy>[0] } = JSON.parse(process.env["FENCEPOST_HOST_COMMAND"] ?? "{}");
const running = await start(bubblewrapBackend(), { ...command, policy: new SandboxPolicy(command.policy) });
await running.done;
