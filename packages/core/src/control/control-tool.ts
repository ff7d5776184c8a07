import { createValidator, failed, modelSchema, type ToolDefinition, type ToolResult } from "@fencepost/contract";
import type { TObject } from "typebox";

/** A tool of the session itself: it touches no file and no process, so neither the fence nor the sandbox is asked. */
export interface ControlTool {
  readonly definition: ToolDefinition;
  /** Never rejects. `input`: an object or its JSON text. */
  run(input: unknown, call: ControlCall): Promise<ToolResult>;
}

export interface ControlCall {
  readonly callId: string;
  readonly signal: AbortSignal;
}

export interface ControlToolFields<Input> {
  readonly id: string;
  readonly description: string;
  readonly inputSchema: TObject;
  readonly run: (input: Input, call: ControlCall) => Promise<ToolResult> | ToolResult;
}

/** A control tool whose input is validated like any other tool's. */
export function controlTool<Input>({ id, description, inputSchema, run }: ControlToolFields<Input>): ControlTool {
  const schema = modelSchema(inputSchema);
  const validate = createValidator(schema);
  const fits = (value: unknown): value is Input => validate(value) === null;
  return {
    definition: { id, description, inputSchema: schema, riskHint: "read_only" },
    async run(input, call) {
      const parsed = parse(input);
      if (!parsed.ok) return failed("invalid_arguments", `invalid tool input: the arguments of ${id} are not valid JSON; send one JSON object.`);
      const { value } = parsed;
      if (!fits(value)) return failed("invalid_arguments", validate(value) ?? "");
      try {
        return await run(value, call);
      } catch (error) {
        return failed("execution_failed", `${id} failed: ${error instanceof Error ? error.message : String(error)}. Go on without it.`);
      }
    },
  };
}

function parse(input: unknown): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  if (typeof input !== "string") return { ok: true, value: input };
  try {
    return { ok: true, value: JSON.parse(input) };
  } catch {
    return { ok: false };
  }
}
