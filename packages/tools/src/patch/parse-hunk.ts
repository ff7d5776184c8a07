import { PatchError } from "./patch-error.ts";
import type { PatchHunk, PatchLine } from "./patch-types.ts";

const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

const kinds: Readonly<Record<string, PatchLine["kind"]>> = { " ": "context", "+": "added", "-": "removed" };

/** Whether a file's part of a patch begins at a line, whatever stood before it. */
export function startsSection(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? "";
  if (line.startsWith("diff --git ")) return true;
  return line.startsWith("--- ") && (lines[index + 1] ?? "").startsWith("+++ ");
}

/** The hunk whose header is at `index`, and the index behind it. */
export function parseHunk(lines: readonly string[], index: number, file: string): { readonly hunk: PatchHunk; readonly next: number } {
  const line = lines[index] ?? "";
  const match = header.exec(line);
  if (match === null) {
    throw new PatchError("invalid_hunk_header", `The hunk header ${JSON.stringify(line.slice(0, maxShownCharacters))} of ${file} cannot be read. Write it as "@@ -<line>,<count> +<line>,<count> @@". Nothing was changed.`);
  }
  const oldStart = Math.min(Number(match[1]), Number.MAX_SAFE_INTEGER);
  const counted = byCounts(lines, index + 1, Number(match[2] ?? 1), Number(match[4] ?? 1));
  if (counted) return { hunk: { oldStart, lines: counted.lines, miscounted: false }, next: counted.next };
  const { lines: body, next } = byShape(lines, index + 1);
  if (body.length === 0) throw new PatchError("invalid_hunk_header", `The hunk ${JSON.stringify(line)} of ${file} has no lines. Each line starts with a space, "+" or "-". Nothing was changed.`);
  return { hunk: { oldStart, lines: body, miscounted: true }, next };
}

const maxShownCharacters = 80;

interface Body {
  readonly lines: readonly PatchLine[];
  readonly next: number;
}

/** As many lines as the header says, where they fit and the patch goes on behind them as it should. */
function byCounts(lines: readonly string[], start: number, oldCount: number, newCount: number): Body | undefined {
  const body: PatchLine[] = [];
  let [oldLeft, newLeft, next] = [oldCount, newCount, start];
  while (oldLeft > 0 || newLeft > 0) {
    const line = toLine(lines[next]);
    if (line === undefined) return undefined;
    next++;
    if (line === "marker") {
      if (!mark(body)) return undefined;
      continue;
    }
    if (line.kind !== "added") oldLeft--;
    if (line.kind !== "removed") newLeft--;
    if (oldLeft < 0 || newLeft < 0) return undefined;
    body.push(line);
  }
  if (lines[next]?.startsWith("\\") && mark(body)) next++;
  const following = lines[next];
  const fits = following === undefined || following === "" || following.startsWith("@@") || startsSection(lines, next) || toLine(following) === undefined;
  return fits ? { lines: body, next } : undefined;
}

/** Counts are advisory: where they do not fit, the lines go on up to the next header. */
function byShape(lines: readonly string[], start: number): Body {
  const body: PatchLine[] = [];
  let next = start;
  for (; next < lines.length; next++) {
    if (lines[next]?.startsWith("@@") || startsSection(lines, next)) break;
    const line = toLine(lines[next]);
    if (line === undefined) break;
    if (line === "marker") mark(body);
    else body.push(line);
  }
  // Empty lines at the end separate; within a hunk they are empty context lines whose space was lost.
  while (lines[next - 1] === "" && body.length > 0) {
    body.pop();
    next--;
  }
  return { lines: body, next };
}

function toLine(line: string | undefined): PatchLine | "marker" | undefined {
  if (line === undefined) return undefined;
  if (line === "") return { kind: "context", text: "", missingNewline: false };
  if (line.startsWith("\\")) return "marker";
  const kind = kinds[line[0] ?? ""];
  return kind && { kind, text: line.slice(1), missingNewline: false };
}

/** Sets the missing line break on the last line. */
function mark(body: PatchLine[]): boolean {
  const last = body.pop();
  if (last === undefined) return false;
  body.push({ ...last, missingNewline: true });
  return true;
}
