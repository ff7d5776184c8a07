import { join } from "node:path/posix";
import { footerReserveBytes, resultTextBytes, succeeded, type Display, type ToolResult } from "@fencepost/contract";
import { Type } from "typebox";
import { toFault, FileFault } from "../files/file-fault.ts";
import type { DirectoryEntry, FileSystem } from "../files/file-system.ts";
import { isTemporaryName } from "../files/temporary-name.ts";
import type { CheckedPath } from "../paths/checked-path.ts";
import { resolvePath } from "../paths/resolve-path.ts";
import { escapeName } from "../paths/show-path.ts";
import { defineTool } from "../toolset/define-tool.ts";
import { fileCall, isRefusal } from "../files/file-call.ts";
import { ListData } from "./result-data.ts";

/** Entries shown unless told otherwise, and at most. */
const defaultEntries = 200;
const maxEntries = 2000;

const maxBodyBytes = resultTextBytes - footerReserveBytes;

const Input = Type.Object(
  {
    path: Type.Optional(Type.String({ minLength: 1, description: 'Directory, default "."' })),
    offset: Type.Optional(Type.Integer({ minimum: 0, description: "Entries to skip, default 0" })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxEntries, description: `Entries to show, default ${defaultEntries}` })),
  },
  { additionalProperties: false },
);

const description = [
  "List the entries of one directory, sorted by name, hidden ones included.",
  "Directories end in /, symlinks show where they point. Use glob to find files in a whole tree.",
].join(" ");

export const listTool = defineTool({
  id: "list",
  description,
  risk: "read_only",
  capabilities: ["filesystem.read"],
  family: "files",
  inputSchema: Input,
  resultSchema: ListData,
  examples: [{}, { path: "src", offset: 200, limit: 200 }],
  execute: (session, call, input) =>
    fileCall(async () => {
      const path = await resolvePath(input.path ?? ".", "read", "placeMustExist", session, call.policy);
      if (isRefusal(path)) return path.refused;
      const entries = await entriesOf(session.fileSystem, path);
      return present(session.fileSystem, path, entries, input.offset ?? 0, input.limit ?? defaultEntries);
    }),
});

/** Sorted by code units, so that pages of one listing fit together whatever the locale. */
async function entriesOf(fileSystem: FileSystem, path: CheckedPath): Promise<readonly DirectoryEntry[]> {
  try {
    const { kind } = await fileSystem.lstat(path.real);
    if (kind !== "directory") throw new FileFault("not_a_file", `${path.shown} is not a directory. Use read to see a file.`);
    const entries = (await namesIn(fileSystem, path.real)).filter(({ name }) => !isTemporaryName(name));
    return entries.toSorted((left, right) => (left.name < right.name ? -1 : Number(left.name > right.name)));
  } catch (error) {
    throw toFault(error, path.shown, "list");
  }
}

/** Held, so that a directory swapped for a link after the check does not tell what it leads to. */
async function namesIn(fileSystem: FileSystem, real: string): Promise<readonly DirectoryEntry[]> {
  const held = await fileSystem.holdDirectory(real);
  try {
    return await fileSystem.readDirectory(held.path);
  } finally {
    await held.close();
  }
}

async function present(fileSystem: FileSystem, path: CheckedPath, entries: readonly DirectoryEntry[], offset: number, limit: number): Promise<ToolResult> {
  if (entries.length === 0) return succeeded("[empty directory]", { data: { shown: 0, total: 0 }, display: display(path, 0) });
  if (offset >= entries.length) {
    throw new FileFault("failed", `${path.shown} has ${entries.length} ${entries.length === 1 ? "entry" : "entries"}, so offset ${offset} is past the end. Use an offset from 0 to ${entries.length - 1}.`);
  }
  const lines: string[] = [];
  let bytes = 0;
  for (const entry of entries.slice(offset, offset + limit)) {
    const line = await renderEntry(fileSystem, path, entry);
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > maxBodyBytes) break;
    lines.push(line);
  }
  const next = offset + lines.length;
  if (next < entries.length) lines.push(`[showing ${lines.length} entries from offset ${offset}; more entries available at offset ${next}]`);
  return succeeded(lines.join("\n"), { data: { shown: next - offset, total: entries.length }, display: display(path, entries.length) });
}

function display({ shown }: CheckedPath, total: number): Display {
  return { kind: "text", title: shown, fields: [{ label: "entries", value: String(total) }] };
}

/** An entry that vanishes or cannot be looked at still has its name. */
async function renderEntry(fileSystem: FileSystem, directory: CheckedPath, { name, kind }: DirectoryEntry): Promise<string> {
  const path = join(directory.real, name);
  const known = kind === "other" ? await fileSystem.lstat(path).then((stat) => stat.kind, () => kind) : kind;
  if (known === "directory") return `${escapeName(name)}/`;
  if (known !== "symlink") return escapeName(name);
  const target = await fileSystem.readlink(path).catch(() => undefined);
  return target === undefined ? escapeName(name) : `${escapeName(name)} -> ${escapeName(target)}`;
}
