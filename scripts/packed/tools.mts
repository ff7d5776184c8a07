import { succeeded } from "@fencepost/contract";
import { defineTool, type SessionTool } from "@fencepost/tools";
import { Type } from "typebox";

export const timeTool: SessionTool<{ city: string }> = defineTool({
  id: "local_time",
  description: "The local time of a city.",
  risk: "read_only",
  capabilities: ["session.read"],
  family: "clock",
  inputSchema: Type.Object({ city: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
  examples: [{ city: "Oslo" }],
  execute: async (_session, _call, { city }) => succeeded(`noon in ${city}`),
});
