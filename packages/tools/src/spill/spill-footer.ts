import type { SpillFile } from "./spill-directory.ts";

/** Said where text was left out: how much, and where the whole is, if it could be kept. */
export function spillFooter(omittedBytes: number, file: SpillFile | undefined): string {
  if (!file) return `... (${omittedBytes} bytes omitted. The full output could not be saved.)`;
  const saved = file.capped ? `Only the first 64 MB of the output were kept, at ${file.path}` : `Full output saved at ${file.path}`;
  return `... (${omittedBytes} bytes omitted. ${saved} — use read with offset/limit, or grep, to look at it.)`;
}
