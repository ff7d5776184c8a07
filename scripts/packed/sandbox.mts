import { platformBackend, type SandboxAvailability, type SandboxBackend, type SandboxMode } from "@fencepost/sandbox";

const backend: SandboxBackend = platformBackend();
const mode: SandboxMode = "accept-edits";
export const availability: Promise<SandboxAvailability> = backend.probe();
export { mode };
