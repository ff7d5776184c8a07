export { builtinRegistry } from "./builtin/builtin-registry.ts";
export type { CallContext } from "./context/call-context.ts";
export { childEnvironment } from "./context/child-environment.ts";
export { escalationWay } from "./context/escalation-way.ts";
export { localSession, type LocalSessionOptions } from "./context/local-session.ts";
export type { SessionContext } from "./context/session-context.ts";
export type { ToolChoices } from "./context/choose-tool-options.ts";
export { defaultToolOptions, type ToolOptions } from "./context/tool-options.ts";
export type { DangerousCommand } from "./commands/dangerous-command.ts";
export { findDangerousCommand } from "./commands/find-dangerous-command.ts";
export type { BlockedCommand, CommandRule } from "./commands/blocked-command.ts";
export { defaultCommandOptions, type CommandOptions } from "./commands/command-options.ts";
export { findBlockedCommand, type BlockChoices } from "./commands/find-blocked-command.ts";
export { redactText, type Secrets } from "./process/output/redactor.ts";
export { createLocalProcessBackend } from "./process/local-process-backend.ts";
export { defaultResourceLimits, type ResourceLimits } from "./process/resource-limits.ts";
export { createCommandTasks, maxTasks, type CommandTasks, type TaskRequest, type TaskStart } from "./tasks/command-tasks.ts";
export type { TaskServices } from "./tasks/launch-task.ts";
export { createLocalTaskStore } from "./tasks/local-task-store.ts";
export type { TaskNotice } from "./tasks/task-notice.ts";
export type { TaskStore } from "./tasks/task-store.ts";
export type { Task, TaskOutcome, TaskRecord, TaskState } from "./tasks/task.ts";
export type { OutputSlice, TaskOutput } from "./tasks/task-output.ts";
export { createCommitJournal, type CommitJournal, type JournalEntry } from "./files/commit-journal.ts";
export { diffLines, type LineDiff, type LineMatch } from "./files/diff/line-diff.ts";
export { FileSystemError, type DirectoryEntry, type FileKind, type FileStat, type FileSystem, type HeldDirectory, type OpenFile } from "./files/file-system.ts";
export { createLocalFileSystem } from "./files/local/local-file-system.ts";
export { createLocalFileWork, type LocalFileWork } from "./files/local/local-file-work.ts";
export { reapplyChanges, undoChanges, type MovedChanges } from "./files/move-changes.ts";
export { isTemporaryName } from "./files/temporary-name.ts";
export { createObservations, type Observations } from "./files/observations.ts";
export { createWriteLocks, LockUnavailable, type SharedLocks, type WriteLocks } from "./files/write-locks.ts";
export type { CheckedPath } from "./paths/checked-path.ts";
export type { PathRefusal } from "./paths/path-refusal.ts";
export { resolvePath, type PathIntent, type PathSession } from "./paths/resolve-path.ts";
export { escapeName, showPath } from "./paths/show-path.ts";
export type { ProcessBackend, ProcessCommand, ProcessExit, ProcessListeners, ProcessStart, RunningProcess, TerminalAvailability, TerminalSize } from "./process/process-backend.ts";
export { createLocalSearchBackend } from "./search/local/local-search-backend.ts";
export {
  SearchFault,
  type Count,
  type EarlyEnd,
  type FileMatches,
  type GlobEvents,
  type GlobHints,
  type GlobOutcome,
  type GlobRequest,
  type GrepEvents,
  type GrepHints,
  type GrepMode,
  type GrepOutcome,
  type GrepRequest,
  type SearchBackend,
  type SearchBudget,
  type SearchFaultReason,
  type SearchScope,
  type SearchTally,
  type ShownLine,
} from "./search/search-backend.ts";
export { createLocalSpillDirectory } from "./spill/local-spill-directory.ts";
export { removeSessionSpill, removeStaleSpills } from "./spill/remove-spills.ts";
export type { SpillDirectory, SpillFile, SpillWriter } from "./spill/spill-directory.ts";
export { defineTool, type ToolSpec } from "./toolset/define-tool.ts";
export type { Escalation, FinalizedToolset, PreparedCall, RefusedCall, SessionTool, ToolRequest } from "./toolset/finalized-toolset.ts";
export { inventoryText, toolInventory, type Inventory, type InventoryEntry } from "./toolset/inventory.ts";
export { defaultPreset, explorerPreset, type ToolsetConfig } from "./toolset/presets.ts";
export { createToolRegistry, ToolsetError, type ToolRegistry } from "./toolset/tool-registry.ts";
