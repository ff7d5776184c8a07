import type { EscalationWay, ProtectedWrites, SandboxAvailability } from "@fencepost/sandbox";
import type { CommitJournal } from "../files/commit-journal.ts";
import type { FileSystem } from "../files/file-system.ts";
import type { Observations } from "../files/observations.ts";
import type { WriteLocks } from "../files/write-locks.ts";
import type { ProcessBackend } from "../process/process-backend.ts";
import type { SearchBackend } from "../search/search-backend.ts";
import type { SpillDirectory } from "../spill/spill-directory.ts";
import type { CommandTasks } from "../tasks/command-tasks.ts";
import type { ToolOptions } from "./tool-options.ts";

/** What the calls of one session share. No mode, no turn, no approval, no database. */
export interface SessionContext {
  readonly sessionId: string;
  /** Canonical: relative paths start here. */
  readonly workingDirectory: string;
  /** Whether commands can run at all; decides about bash and the escalation parameters. */
  readonly sandbox: SandboxAvailability;
  /** Why a refused call cannot be retried with permissions, if it cannot. */
  readonly escalation: Exclude<EscalationWay, "unavailable">;
  /** Environment of child processes: see `childEnvironment`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly fileSystem: FileSystem;
  readonly processes: ProcessBackend;
  readonly search: SearchBackend;
  readonly spill: SpillDirectory | undefined;
  readonly observations: Observations;
  readonly writeLocks: WriteLocks;
  /** Lets a killed process's half-done changes be taken back at the next start. Without one, none is written in place. */
  readonly journal?: CommitJournal | undefined;
  /** Keeps the mounts of running commands whole while a protected file is written, and tells their sweeps whose change it was. */
  readonly protectedWrites?: ProtectedWrites | undefined;
  /** Commands in the background. Without it their tools answer that there are none. The host closes it. */
  readonly tasks?: CommandTasks | undefined;
  readonly options: ToolOptions;
  /** Takes secrets out of a text. Applied to every result, whichever tool made it. */
  readonly redact?: (text: string) => string;
}
