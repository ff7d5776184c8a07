import { createValidator, failed, modelSchema, resultText, succeeded, type ToolResult } from "@fencepost/contract";
import { Type } from "typebox";

const Input = Type.Object({ city: Type.String({ minLength: 1 }) }, { additionalProperties: false });

const validate = createValidator(modelSchema(Input));

export function weather(input: unknown): ToolResult {
  const problem = validate(input);
  if (problem !== null) return failed("invalid_arguments", problem);
  return succeeded("Rain, 12 °C.", { data: { celsius: 12 } });
}

console.log(resultText(weather({ city: "Bergen" })));
// Rain, 12 °C.
console.log(resultText(weather({ town: "Bergen" })));
// invalid tool input: `city` is missing; expected a non-empty string; unknown field `town`; expected only `city`
