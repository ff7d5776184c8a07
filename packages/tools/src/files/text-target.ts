import { isUtf8 } from "node:buffer";
import type { CheckedPath } from "../paths/checked-path.ts";
import { maxChangeBytes } from "./file-change.ts";
import { FileFault, toFault } from "./file-fault.ts";
import { FileSystemError, type FileStat, type FileSystem } from "./file-system.ts";
import { sha256 } from "./hash.ts";
import { throughParent } from "./hold-parent.ts";
import { readAll, withFile } from "./read-all.ts";
import { binaryFault } from "./scan/line-window.ts";
import { encodingName } from "./scan/read-window.ts";
import { encodingOf } from "./scan/text-encoding.ts";
import { requireRegular } from "./special-file.ts";

/** A file that may be changed: regular, at most 1 MiB, strict UTF-8, without NUL. */
export interface TextTarget {
  readonly bytes: Buffer;
  readonly hash: string;
  readonly stat: FileStat;
}

/** The file a call wants to change, or null where there is none. Rejects with the reason why it must stay as it is. */
export async function loadTextTarget(fileSystem: FileSystem, path: CheckedPath): Promise<TextTarget | null> {
  try {
    return await throughParent(fileSystem, path.real, async (target) => {
      const stat = await fileSystem.lstat(target);
      requireRegular(stat.kind, path.shown, "change");
      const whole = await withFile(fileSystem, target, "read", (file) => readAll(file, maxChangeBytes));
      const bytes = requireEditable(whole?.bytes ?? null, path.shown);
      return { bytes, stat: whole?.stat ?? stat, hash: sha256(bytes) };
    });
  } catch (error) {
    if (error instanceof FileSystemError && error.code === "ENOENT") return null;
    throw toFault(error, path.shown, "read");
  }
}

/** A content that may be changed, null standing for one over the limit. Throws the reason why it may not. */
export function requireEditable(bytes: Buffer | null, shown: string): Buffer {
  if (bytes === null) throw new FileFault("too_large", `${shown} is over 1 MiB, more than file tools change. Use bash with sed, or a script, to change it.`);
  const encoding = encodingOf(bytes);
  if (encoding !== "utf-8") throw new FileFault("not_text", `${shown} is ${encodingName(encoding)}, and only UTF-8 files can be changed. Use bash with iconv to convert it first.`);
  const nul = bytes.indexOf(0);
  if (nul !== -1) throw binaryFault(shown, lineAt(bytes, nul), nul);
  if (!isUtf8(bytes)) throw new FileFault("not_text", `${shown} is not valid UTF-8, so it is not changed: other bytes would be lost. Use bash, for example with iconv or sed, to change it.`);
  return bytes;
}

function lineAt(bytes: Buffer, offset: number): number {
  return bytes.toString("latin1", 0, offset).split("\n").length;
}
