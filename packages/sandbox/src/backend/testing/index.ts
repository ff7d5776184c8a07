export { fakeSandboxBackend } from "./fake-backend.ts";
export { runLaunch, type RunningCommand } from "./run-launch.ts";
export { testSandboxBackend, type TestRunner } from "./test-sandbox-backend.ts";
