import type { OpenFile } from "@fencepost/tools";
import { existingPath, SandboxRefusal, throughHeldParent, type SandboxGround } from "./sandbox-ground.ts";
import type { SandboxEntryKind, SandboxPath, SandboxSession } from "./sandbox-session.ts";

/** The most that one whole read gives, in bytes; a stream has no limit. */
const maxWholeBytes = 256 * 1024 * 1024;

const chunkBytes = 64 * 1024;

/** The reading half of a sandbox: through the fence, on this machine's disk. */
export function sandboxReads(ground: SandboxGround): Pick<SandboxSession, "readFile" | "readBinaryFile" | "readTextFile" | "stat" | "listDirectory"> {
  const open = async ({ path, abortSignal }: SandboxPath): Promise<OpenFile | null> => {
    abortSignal?.throwIfAborted();
    const found = await existingPath(ground, path);
    if (found === null) return null;
    if (found.stat.kind !== "file") throw new SandboxRefusal(`${found.path.shown} is not a regular file`);
    return throughHeldParent(ground, found.path, (target) => ground.session.fileSystem.open(target, "read"));
  };

  const readBinaryFile: SandboxSession["readBinaryFile"] = async (options) => {
    const file = await open(options);
    if (file === null) return null;
    try {
      return await wholeOf(file, options.abortSignal);
    } finally {
      await file.close();
    }
  };

  return {
    readBinaryFile,
    async readFile(options) {
      const file = await open(options);
      return file && streamOf(file, options.abortSignal);
    },
    async readTextFile({ encoding = "utf-8", startLine = 1, endLine, ...options }) {
      const bytes = await readBinaryFile(options);
      if (bytes === null) return null;
      const text = new TextDecoder(encoding).decode(bytes);
      if (startLine <= 1 && endLine === undefined) return text;
      return text
        .split(/(?<=\n)/)
        .slice(Math.max(1, startLine) - 1, endLine)
        .join("");
    },
    async stat({ path, abortSignal }) {
      abortSignal?.throwIfAborted();
      const found = await existingPath(ground, path);
      if (found === null) return null;
      const { kind, size } = found.stat;
      return { type: kind === "file" || kind === "directory" ? kind : "other", size };
    },
    async listDirectory({ path, abortSignal }) {
      abortSignal?.throwIfAborted();
      const found = await existingPath(ground, path);
      if (found === null) return null;
      if (found.stat.kind !== "directory") throw new SandboxRefusal(`${found.path.shown} is not a directory`);
      const held = await ground.session.fileSystem.holdDirectory(found.path.real);
      try {
        return (await ground.session.fileSystem.readDirectory(held.path)).map(({ name, kind }) => ({ name, type: entryKind(kind) }));
      } finally {
        await held.close();
      }
    },
  };
}

function entryKind(kind: string): SandboxEntryKind {
  return kind === "file" || kind === "directory" || kind === "symlink" ? kind : "other";
}

async function wholeOf(file: OpenFile, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let total = 0;
  for (;;) {
    signal?.throwIfAborted();
    const part = await nextPart(file);
    if (part === undefined) return Buffer.concat(parts);
    total += part.length;
    if (total > maxWholeBytes) throw new SandboxRefusal(`the file has more than ${maxWholeBytes} bytes; read it as a stream`);
    parts.push(part);
  }
}

function streamOf(file: OpenFile, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      try {
        signal?.throwIfAborted();
        const part = await nextPart(file);
        if (part !== undefined) return controller.enqueue(part);
        await file.close();
        controller.close();
      } catch (error) {
        await file.close().catch(() => undefined);
        controller.error(error);
      }
    },
    cancel: () => file.close(),
  });
}

async function nextPart(file: OpenFile): Promise<Uint8Array | undefined> {
  const buffer = new Uint8Array(chunkBytes);
  const count = await file.read(buffer, null);
  return count === 0 ? undefined : buffer.subarray(0, count);
}
