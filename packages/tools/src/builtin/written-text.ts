import { failed, invalidInputPrefix, type ToolResult } from "@fencepost/contract";
import { maxChangeBytes } from "../files/file-change.ts";

/** What is wrong with a text that is to be written; undefined where nothing is. */
export function textFault(field: string, text: string): ToolResult | undefined {
  const bytes = Buffer.byteLength(text);
  if (bytes > maxChangeBytes) return failed("invalid_arguments", `${invalidInputPrefix}\`${field}\` has ${bytes} bytes; expected at most ${maxChangeBytes}. Write it in smaller parts.`);
  const nul = text.indexOf("\0");
  if (nul !== -1) return failed("invalid_arguments", `${invalidInputPrefix}\`${field}\` holds a NUL at UTF-16 unit ${nul}, and a file with one is binary, which file tools neither show nor change. Leave it out, or use bash with printf.`);
  const broken = /\p{Surrogate}/u.exec(text);
  if (broken === null) return undefined;
  return failed("invalid_arguments", `${invalidInputPrefix}\`${field}\` is not valid Unicode: half of a surrogate pair at UTF-16 unit ${broken.index}. Send the whole character.`);
}
