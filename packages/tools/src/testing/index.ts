export { testFileSystem, type FileSystemFixture } from "./file-system-suite.ts";
export { createMemoryFileSystem, ProcessDied, type Fault, type FaultPlan, type MemoryFileSystem } from "./memory-file-system.ts";
export { processScenarios, testProcessBackend, type ProcessFixture } from "./process-suite.ts";
export type { SearchFixture } from "./search-check.ts";
export { testSearchBackend } from "./search-suite.ts";
export { createScriptedProcesses, type Script, type ScriptedOptions, type ScriptedProcesses, type ScriptStep } from "./scripted-processes.ts";
export { testTool, type ToolFixture } from "./tool-suite.ts";
