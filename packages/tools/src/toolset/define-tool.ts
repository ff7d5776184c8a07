import type { Capability, ToolFacts, ToolResult, ToolRisk, ToolStability } from "@fencepost/contract";
import type { Static, TObject } from "typebox";
import type { CallContext } from "../context/call-context.ts";
import type { SessionContext } from "../context/session-context.ts";
import type { SessionTool } from "./finalized-toolset.ts";

/**
 * What `defineTool` takes. The input type follows from the schema; `NoInfer` keeps every other place from taking part
 * in the inference, which would cost seconds of type checking.
 */
export interface ToolSpec<Schema extends TObject> {
  readonly id: string;
  readonly description: string;
  readonly risk: ToolRisk;
  readonly capabilities: readonly Capability[];
  readonly family: string;
  /** Default `stable`. */
  readonly stability?: ToolStability;
  /** Every object in it forbids additional properties. Limits stand in it where a schema can say them. */
  readonly inputSchema: Schema;
  /** Of the `data` of a success. Every object in it forbids additional properties. */
  readonly resultSchema?: TObject;
  readonly examples: readonly NoInfer<Static<Schema>>[];
  /** Default false. True: the toolset adds the escalation parameters and takes them out again before `execute`. */
  readonly escalates?: boolean;
  /** Default: read-only. */
  inspect?(input: NoInfer<Static<Schema>>): ToolFacts;
  execute(session: SessionContext, call: CallContext, input: NoInfer<Static<Schema>>): Promise<ToolResult>;
}

/**
 * One tool from one definition: its TypeBox schema is the static type of its input and the JSON Schema a model sees.
 * A tool file keeps one order: limits, schema, description, execute, present.
 *
 * @example
 * const Input = Type.Object({ city: Type.String({ minLength: 1 }) }, { additionalProperties: false });
 *
 * export const timeTool = defineTool({
 *   id: "local_time",
 *   description: "The local time of a city.",
 *   risk: "read_only",
 *   capabilities: ["session.read"],
 *   family: "clock",
 *   inputSchema: Input,
 *   examples: [{ city: "Oslo" }],
 *   execute: async (_session, _call, { city }) => succeeded(timeIn(city)),
 * });
 */
export function defineTool<Schema extends TObject>(spec: ToolSpec<Schema>): SessionTool<NoInfer<Static<Schema>>> {
  return Object.freeze({ stability: "stable" as const, escalates: false, inspect: readOnly, ...spec });
}

function readOnly(): ToolFacts {
  return { kind: "read_only" };
}
