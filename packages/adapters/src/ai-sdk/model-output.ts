import type { Tool } from "ai";
import type { AiSdkOutput } from "./ai-sdk-tools.ts";

type ModelOutput = Awaited<ReturnType<NonNullable<Tool["toModelOutput"]>>>;

/** What the model reads of an output: its text and its images, nothing else. */
export function modelOutput(output: AiSdkOutput): ModelOutput {
  if (output.status === "running") return { type: "text", value: output.text };
  if (output.failed) return { type: "error-text", value: output.text };
  if (output.images.length === 0) return { type: "text", value: output.text };
  return {
    type: "content",
    value: [{ type: "text", text: output.text }, ...output.images.map(({ mediaType, data }) => ({ type: "file-data" as const, mediaType, data }))],
  };
}
