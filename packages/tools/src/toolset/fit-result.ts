import { Buffer } from "node:buffer";
import { footerReserveBytes, resultText, resultTextBytes, type ContentPart, type ToolResult } from "@fencepost/contract";
import { spillFooter } from "../spill/spill-footer.ts";
import type { SpillDirectory, SpillFile } from "../spill/spill-directory.ts";
import { characterBoundary } from "../spill/character-boundary.ts";
import { fitDisplay } from "./fit-display.ts";

/**
 * A result within its limits. Text over `resultTextBytes` keeps its start; the whole is kept in a file where there is a
 * spill, and the footer says where. A failure's message stays equal to its text.
 */
export async function fitResult(result: ToolResult, spill: SpillDirectory | undefined, callId: string): Promise<ToolResult> {
  const { display, error } = result;
  const shown = display ? { ...result, display: fitDisplay(display) } : result;
  const text = resultText(result);
  const fitted = Buffer.byteLength(text) <= resultTextBytes ? undefined : await cutText(text, spill, callId);
  if (fitted === undefined && (!error || Buffer.byteLength(error.message) <= resultTextBytes)) return shown;
  return {
    ...shown,
    ...(fitted !== undefined && { content: withText(result.content, fitted) }),
    ...(error && { error: { ...error, message: error.message === text && fitted !== undefined ? fitted : cutMessage(error.message) } }),
  };
}

/** One text in place of all; images keep their order behind it. */
function withText(content: readonly ContentPart[], text: string): readonly ContentPart[] {
  return [{ type: "text", text }, ...content.filter((part) => part.type === "image")];
}

async function cutText(text: string, spill: SpillDirectory | undefined, callId: string): Promise<string> {
  const bytes = Buffer.from(text);
  const file = await keep(bytes, spill, callId);
  const longestFooter = Buffer.byteLength(spillFooter(bytes.length, file));
  const kept = bytes.subarray(0, cutAt(bytes, resultTextBytes - Math.max(footerReserveBytes, longestFooter + 1)));
  const separator = kept.at(-1) === newline ? "" : "\n";
  return `${kept.toString("utf8")}${separator}${spillFooter(bytes.length - kept.length, file)}`;
}

const newline = 0x0a;

/** Behind the last line break of the second half, else between two characters. */
function cutAt(bytes: Buffer, limit: number): number {
  const lineEnd = bytes.lastIndexOf(newline, limit - 1);
  return lineEnd >= limit / 2 ? lineEnd + 1 : characterBoundary(bytes, limit);
}

async function keep(bytes: Buffer, spill: SpillDirectory | undefined, callId: string): Promise<SpillFile | undefined> {
  try {
    const writer = spill?.open(callId);
    writer?.write(bytes);
    return await writer?.finish();
  } catch {
    return undefined;
  }
}

function cutMessage(message: string): string {
  const bytes = Buffer.from(message);
  if (bytes.length <= resultTextBytes) return message;
  return bytes.subarray(0, characterBoundary(bytes, resultTextBytes)).toString("utf8");
}
