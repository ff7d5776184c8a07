import type { FileChange, Hunk, HunkLine } from "@fencepost/contract";

/** What `echoDiff: "hunks"` adds to a result at most. */
const maxEchoHunks = 5;
const maxEchoLines = 60;
const maxEchoBytes = 8192;

const signs: Readonly<Record<HunkLine["kind"], string>> = { context: " ", added: "+", removed: "-" };

/** The hunks of a call's changes below its summary, or nothing where there are none. */
export function echoedHunks(changes: readonly FileChange[]): string {
  const hunks = changes.flatMap((change) => change.hunks);
  if (hunks.length === 0) return "";
  const { text, omitted } = renderHunks(hunks.slice(0, maxEchoHunks), maxEchoLines);
  const note = omitted > 0 || hunks.length > maxEchoHunks ? `\n[diff cut: ${hunks.length} hunks in all]` : "";
  return `\n${text}${note}`;
}

/** Hunks as `diff -u` writes them, up to `maxLines` lines. */
export function renderHunks(hunks: readonly Hunk[], maxLines: number): { readonly text: string; readonly omitted: number } {
  const lines = hunks.flatMap((hunk) => [`@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`, ...hunk.lines.flatMap(renderLine)]);
  const kept: string[] = [];
  let bytes = 0;
  for (const line of lines.slice(0, maxLines)) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > maxEchoBytes) break;
    kept.push(line);
  }
  return { text: kept.join("\n"), omitted: lines.length - kept.length };
}

function renderLine(line: HunkLine): readonly string[] {
  const text = signs[line.kind] + line.text;
  return line.missingNewline ? [text, "\\ No newline at end of file"] : [text];
}
