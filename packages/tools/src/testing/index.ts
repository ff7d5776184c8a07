export { testFileSystem, type FileSystemFixture } from "./file-system-suite.ts";
export { createMemoryFileSystem, ProcessDied, type Fault, type FaultPlan, type MemoryFileSystem } from "./memory-file-system.ts";
export { testTool, type ToolFixture } from "./tool-suite.ts";
