export { isFileChangeArtifact, type Artifact, type FileChangeArtifact } from "./artifact.ts";
export { capabilities, type Capability } from "./capability.ts";
export { displayLimits, type Display, type DisplayField } from "./display.ts";
export { toolError, toolErrorCodes, type ToolError, type ToolErrorCode } from "./error.ts";
export { escalationProperties, maxEscalationPaths, PathPermission, SandboxPermissions } from "./escalation.ts";
export type { FileChange, Hunk, HunkLine } from "./file-change.ts";
export { isToolResult } from "./is-tool-result.ts";
export { modelSchema, type JsonSchema } from "./model-schema.ts";
export type { ProgressEvent, ProgressSink } from "./progress.ts";
export {
  failed,
  footerReserveBytes,
  noOutputText,
  resultText,
  resultTextBytes,
  succeeded,
  toolStatuses,
  type ContentPart,
  type ImagePart,
  type ResultExtras,
  type TextPart,
  type ToolResult,
  type ToolStatus,
} from "./result.ts";
export { effectiveRisk, normaliseCapabilities, toolRisks, type ToolRisk } from "./risk.ts";
export type { Tool, ToolDefinition, ToolFacts, ToolStability } from "./tool.ts";
export { createValidator, invalidInputPrefix, type Validator } from "./validate.ts";
