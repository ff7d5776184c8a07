import type { SandboxAvailability, SandboxMode, SandboxPolicy } from "@fencepost/sandbox";
import type { FinalizedToolset } from "@fencepost/tools";
import type { AgentTeam } from "../agents/agent-team.ts";
import type { Approver } from "../approval/approver.ts";
import type { ApprovalPreset } from "../approval/preset.ts";
import type { ChangeFunctions } from "../changes/move-changes.ts";
import type { Message } from "../conversation/message.ts";
import type { Plan } from "../control/plan.ts";
import type { ModelPort } from "../model/model-port.ts";
import type { SessionStore } from "../store/session-store.ts";
import type { ModeOrigin } from "../trace/call-span.ts";
import type { TraceSink } from "../trace/trace-sink.ts";
import type { CallHooks } from "./call-hooks.ts";
import type { Session } from "./session.ts";

/** What a session is made of: everything that touches the machine comes from outside. */
export interface SessionParts {
  readonly id: string;
  readonly workspace: string;
  readonly mode: SandboxMode;
  readonly modeOrigin?: ModeOrigin;
  readonly toolset: FinalizedToolset;
  readonly sandbox: SandboxAvailability & { readonly backend: string };
  readonly network?: "host" | "none";
  /** The policy of a mode, without grants. */
  readonly policy: (mode: SandboxMode) => SandboxPolicy;
  readonly approver: Approver | undefined;
  readonly preset: ApprovalPreset;
  readonly changes: ChangeFunctions;
  readonly hooks?: CallHooks;
  readonly onWarning?: (text: string) => void;
  readonly cancelGraceMs?: number;
  readonly now?: () => number;
  /** Holds this session already. */
  readonly store?: SessionStore;
  readonly stored?: StoredState;
  readonly trace?: readonly TraceSink[];
  readonly drive?: DriveParts;
  /** Gets the session that was made of these parts, before anybody uses it. */
  readonly onOpen?: (session: Pick<Session, "mode">) => void;
  /** Lets go of what was opened for the session. */
  readonly release: () => Promise<void>;
}

/** What a resumed session had. */
export interface StoredState {
  readonly messages: readonly Message[];
  readonly plan?: Plan;
}

/** For sessions with a model. */
export interface DriveParts {
  readonly model: ModelPort;
  readonly store: SessionStore;
  readonly instructions: string;
  readonly maxModelCalls: number;
  readonly idleTimeoutMs: number;
  readonly parallelReadOnly: boolean;
  /** False for child sessions. */
  readonly plans: boolean;
  /** The agents that the model may start. None for child sessions. */
  readonly team?: AgentTeam;
}
