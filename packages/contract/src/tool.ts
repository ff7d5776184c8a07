import type { TObject } from "typebox";
import type { Capability } from "./capability.ts";
import type { ToolResult } from "./result.ts";
import type { ToolRisk } from "./risk.ts";

/** What a host can know of a call before it runs. Paths and commands as the model gave them. */
export type ToolFacts =
  | { readonly kind: "read_only" }
  | { readonly kind: "writes"; readonly targets: readonly string[] }
  | { readonly kind: "runs"; readonly commands: readonly string[] };

export type ToolStability = "stable" | "experimental" | "deprecated";

/**
 * A tool, generic over the values it takes and gives rather than over its schema: inferring through the schema in
 * every place costs seconds of type checking a package.
 */
export interface Tool<Input = unknown, Session = unknown, Call = unknown> {
  /** Written out, never derived: renaming a file must not rename a tool. */
  readonly id: string;
  readonly description: string;
  readonly risk: ToolRisk;
  readonly capabilities: readonly Capability[];
  /** Tools of one family serve one purpose: `files`, `search`, `commands`, … */
  readonly family: string;
  readonly stability: ToolStability;
  /** Both the static type of `Input` and the JSON Schema the model sees. Without the escalation parameters. */
  readonly inputSchema: TObject;
  /** Of `ToolResult.data`, where a success promises one. */
  readonly resultSchema?: TObject;
  /** Inputs that are valid: shown in documentation and run by tests. */
  readonly examples: readonly Input[];
  /** True: the toolset adds `sandboxPermissions` and `justification` where the sandbox is available. */
  readonly escalates: boolean;
  inspect(input: Input): ToolFacts;
  execute(session: Session, call: Call, input: Input): Promise<ToolResult>;
}

/** What a model is told of a tool. */
export interface ToolDefinition {
  readonly id: string;
  readonly description: string;
  /** JSON Schema 2020-12, without `$schema` and `title`, `additionalProperties: false` everywhere. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Raised to the floor of every capability. */
  readonly riskHint: ToolRisk;
  /** Of `ToolResult.data`, where a success promises one. For programs: a model is not told. */
  readonly resultSchema?: Readonly<Record<string, unknown>>;
}
