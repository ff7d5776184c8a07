import { footerReserveBytes, resultTextBytes, succeeded, type ToolResult } from "@fencepost/contract";
import { Type } from "typebox";
import type { CallContext } from "../context/call-context.ts";
import type { SessionContext } from "../context/session-context.ts";
import { FileFault, toFault } from "../files/file-fault.ts";
import { throughParent } from "../files/hold-parent.ts";
import { withFile } from "../files/read-all.ts";
import { encodingName, readWindow, type FileWindow } from "../files/scan/read-window.ts";
import { requireRegular } from "../files/special-file.ts";
import type { CheckedPath } from "../paths/checked-path.ts";
import { resolvePath } from "../paths/resolve-path.ts";
import { defineTool } from "../toolset/define-tool.ts";
import { fileCall, isRefusal } from "../files/file-call.ts";
import { ReadData } from "./result-data.ts";

/** The most lines one read shows, and how many it shows unless told otherwise. */
const maxLines = 2000;

const maxBodyBytes = resultTextBytes - footerReserveBytes;

const Input = Type.Object(
  {
    path: Type.String({ minLength: 1, description: "File to read" }),
    offset: Type.Optional(Type.Integer({ minimum: 0, description: "First line to show, from 1; default 1" })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxLines, description: `Lines to show, default ${maxLines}` })),
  },
  { additionalProperties: false },
);

const description = [
  "Read a text file. Each line comes as its number, a tab and its text; the number and the tab are not part of the file.",
  `Shows up to ${maxLines} lines or 32 KB at once; a footer says how to go on.`,
  `Lines are cut at ${maxLines} characters. Files must be read before they can be edited or overwritten.`,
].join(" ");

export const readTool = defineTool({
  id: "read",
  description,
  risk: "read_only",
  capabilities: ["filesystem.read"],
  family: "files",
  inputSchema: Input,
  resultSchema: ReadData,
  examples: [{ path: "src/index.ts" }, { path: "build.log", offset: 2001, limit: 500 }],
  execute: (session, call, input) =>
    fileCall(async () => {
      const path = await resolvePath(input.path, "read", "mustExist", session, call.policy);
      if (isRefusal(path)) return path.refused;
      const offset = Math.max(1, input.offset ?? 1);
      const window = await scan(session, call, path, offset, input.limit ?? maxLines);
      requireLines(window, path, offset, session.options.readMaxScanBytes);
      if (window.whole) session.observations.record(path.real, window.whole.sha256);
      return present(window, path.shown, offset, session.options.readMaxScanBytes);
    }),
});

async function scan(session: SessionContext, call: CallContext, path: CheckedPath, offset: number, limit: number): Promise<FileWindow> {
  const { fileSystem, options } = session;
  try {
    return await throughParent(fileSystem, path.real, async (target) => {
      requireRegular((await fileSystem.lstat(target)).kind, path.shown, "read");
      return withFile(fileSystem, target, "read", async (file) => {
        const stat = await file.stat();
        requireRegular(stat.kind, path.shown, "read");
        return readWindow(file, stat.size, { shown: path.shown, offset, limit, maxBytes: maxBodyBytes, maxScanBytes: options.readMaxScanBytes, signal: call.signal });
      });
    });
  } catch (error) {
    throw toFault(error, path.shown, "read");
  }
}

function requireLines({ lines, whole }: FileWindow, { shown }: CheckedPath, offset: number, maxScanBytes: number): void {
  if (lines.length > 0) return;
  if (whole === undefined) {
    throw new FileFault("failed", `Line ${offset} of ${shown} lies beyond the first ${size(maxScanBytes)}, the most that read looks through. Use a smaller offset, or bash with tail or sed.`);
  }
  if (whole.totalLines === 0 && offset === 1) return;
  const has = whole.totalLines === 0 ? "is empty" : `has ${whole.totalLines} ${whole.totalLines === 1 ? "line" : "lines"}`;
  const range = whole.totalLines <= 1 ? "offset 1" : `an offset from 1 to ${whole.totalLines}`;
  throw new FileFault("failed", `${shown} ${has}, so offset ${offset} is past its end. Use ${range}.`);
}

function present(window: FileWindow, shown: string, offset: number, maxScanBytes: number): ToolResult {
  const last = offset + window.lines.length - 1;
  const notes = [footer(window, offset, last, maxScanBytes), encodingNote(window)].filter((note) => note !== undefined);
  const body = window.lines.length === 0 ? ["[empty file]"] : window.lines;
  return succeeded([...body, ...notes].join("\n"), {
    display: { kind: "text", title: shown, fields: [{ label: "lines", value: window.lines.length === 0 ? "none" : `${offset}-${last} of ${window.whole?.totalLines ?? "more"}` }] },
    data: { firstLine: window.lines.length === 0 ? 0 : offset, lastLine: window.lines.length === 0 ? 0 : last, totalLines: window.whole?.totalLines ?? null },
  });
}

function footer({ whole, stoppedByBytes }: FileWindow, first: number, last: number, maxScanBytes: number): string | undefined {
  const next = `Continue with offset=${last + 1}`;
  const stopped = stoppedByBytes ? "; stopped at 32 KB" : "";
  if (whole === undefined) return `[showing lines ${first}-${last}${stopped}; the file is larger than ${size(maxScanBytes)}, so it was not read to its end and cannot be edited. ${next}]`;
  if (last >= whole.totalLines) return undefined;
  return `[showing lines ${first}-${last} of ${whole.totalLines}${stopped}. ${next}]`;
}

function encodingNote({ encoding }: FileWindow): string | undefined {
  return encoding === "utf-8" ? undefined : `[decoded from ${encodingName(encoding)}; write and edit cannot change this file]`;
}

function size(bytes: number): string {
  const gibibytes = bytes / 1024 ** 3;
  return Number.isInteger(gibibytes) ? `${gibibytes} GiB` : `${bytes} bytes`;
}
