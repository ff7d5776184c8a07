import { startProcess } from "./run-process.ts";
import { checkedPath, SandboxRefusal, type SandboxGround } from "./sandbox-ground.ts";
import type { SandboxPath, SandboxSession } from "./sandbox-session.ts";

const exitCodes = { isDirectory: 21, isMissing: 22 } as const;

/** Into a file beside the target, which then takes its place with its permissions: the target is whole at any moment. */
const writeScript = `
set -e
[ -d "$1" ] && exit ${exitCodes.isDirectory}
directory=$(dirname -- "$1")
mkdir -p -- "$directory"
part=$(mktemp -- "$directory/.part-XXXXXXXXXX")
trap 'rm -f -- "$part"' EXIT
if [ -e "$1" ]; then cp -p -- "$1" "$part"; else chmod "$(printf '%o' "$((0666 & ~0$(umask)))")" "$part"; fi
cat > "$part"
mv -f -- "$part" "$1"
`;

const deleteScript = `
if [ -L "$1" ]; then :
elif [ -d "$1" ]; then exit ${exitCodes.isDirectory}
elif [ ! -e "$1" ]; then exit ${exitCodes.isMissing}
fi
rm -f -- "$1"
`;

/** The writing half of a sandbox: by programs inside it, so that the kernel judges every byte. */
export function sandboxWrites(ground: SandboxGround): Pick<SandboxSession, "writeFile" | "writeBinaryFile" | "writeTextFile" | "deleteFile"> {
  const script = async (text: string, path: string, content: AsyncIterable<Uint8Array>, abortSignal: AbortSignal | undefined): Promise<number> => {
    let said = "";
    const { process, ended } = await startProcess(ground, { argv: ["/bin/bash", "-c", text, "bash", path], input: true, abortSignal, onOutput: (chunk) => (said += Buffer.from(chunk).toString()) });
    for await (const chunk of content) if (!(await process.write(chunk))) break;
    process.closeInput();
    const { exitCode, notes } = await ended;
    if (notes.length > 0 || (exitCode !== 0 && !Object.values(exitCodes).some((code) => code === exitCode))) throw new SandboxRefusal([said.trim(), ...notes].filter((line) => line !== "").join("\n"));
    return exitCode;
  };

  const write = async ({ path, abortSignal }: SandboxPath, content: AsyncIterable<Uint8Array>): Promise<void> => {
    const { real, shown } = await checkedPath(ground, path, "write");
    if ((await script(writeScript, real, content, abortSignal)) === exitCodes.isDirectory) throw new SandboxRefusal(`${shown} is a directory`);
  };

  return {
    writeFile: ({ content, ...options }) => write(options, chunksOf(content)),
    writeBinaryFile: ({ content, ...options }) => write(options, one(content)),
    async writeTextFile({ content, encoding = "utf-8", ...options }) {
      if (!Buffer.isEncoding(encoding)) throw new SandboxRefusal(`text cannot be written as ${encoding}`);
      await write(options, one(Buffer.from(content, encoding)));
    },
    async deleteFile({ path, abortSignal }) {
      // The link itself is deleted, so the path stays as it was given; the fence has judged where it leads.
      const { lexical, shown } = await checkedPath(ground, path, "write");
      const exitCode = await script(deleteScript, lexical, none(), abortSignal);
      if (exitCode === exitCodes.isDirectory) throw new SandboxRefusal(`${shown} is a directory`);
      return exitCode !== exitCodes.isMissing;
    },
  };
}

async function* one(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

async function* none(): AsyncIterable<Uint8Array> {}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    reader.releaseLock();
  }
}
