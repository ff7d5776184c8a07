import type { SandboxCommand, SandboxPolicy } from "../../src/index.ts";

type Hosted = Omit<SandboxCommand, "policy"> & { readonly policy: ConstructorParameters<typeof SandboxPolicy>[0] };

/** What `spawnHost` gives its host to run. */
export function hostedCommand(): Hosted {
  return JSON.parse(process.env["FENCEPOST_HOST_COMMAND"] ?? "{}");
}
