export { protocolApprover } from "../shared/protocol-approver.ts";
export { aiSdkTools, type AiSdkOptions, type AiSdkOutput, type AiSdkTools } from "./ai-sdk-tools.ts";
export type { PlainResult } from "../shared/plain-result.ts";
export type { RunningOutput } from "./progress-outputs.ts";
export { createAiSdkSandbox, type AiSdkSandbox, type AiSdkSandboxOptions } from "./sandbox/create-ai-sdk-sandbox.ts";
export { SandboxRefusal } from "./sandbox/sandbox-ground.ts";
export type { SandboxSession } from "./sandbox/sandbox-session.ts";
