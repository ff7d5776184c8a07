import { createValidator, modelSchema } from "@fencepost/contract";
import { Type, type Static } from "typebox";
import type { ScriptedStep } from "./scripted-model.ts";

const Script = Type.Object(
  {
    steps: Type.Array(
      Type.Object(
        {
          text: Type.Optional(Type.String()),
          calls: Type.Optional(
            Type.Array(
              Type.Object(
                { toolId: Type.String({ minLength: 1 }), input: Type.Unknown(), modelCallId: Type.Optional(Type.String({ minLength: 1 })) },
                { additionalProperties: false },
              ),
            ),
          ),
          finish: Type.Optional(Type.Union([Type.Literal("stop"), Type.Literal("tool_calls"), Type.Literal("length")])),
          delayMs: Type.Optional(Type.Number({ minimum: 0 })),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

const validate = createValidator(modelSchema(Script));

/**
 * The steps of a script file: `{ "steps": [{ "text": "…", "calls": [{ "toolId": "read", "input": { "path": "a" } }] }] }`.
 *
 * @throws {Error} one line that names what is wrong with the text
 */
export function parseScript(json: string): readonly ScriptedStep[] {
  const script: Static<typeof Script> = JSON.parse(json);
  const fault = validate(script);
  if (fault !== null) throw new Error(fault.replace("invalid tool input", "invalid script"));
  return script.steps;
}
