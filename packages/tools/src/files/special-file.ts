import { FileFault } from "./file-fault.ts";
import type { FileKind } from "./file-system.ts";

const names: Readonly<Record<FileKind, string>> = {
  file: "a regular file",
  directory: "a directory",
  symlink: "a symlink",
  fifo: "a FIFO (named pipe)",
  socket: "a socket",
  device: "a device",
  other: "a special file",
};

/** What is not a regular file is refused before it is opened: opening a FIFO waits, opening a device may do something. */
export function requireRegular(kind: FileKind, shown: string, doing: "read" | "change"): void {
  if (kind === "file") return;
  const step = kind === "directory" ? "Use list to see its entries." : `Only regular files can be ${doing === "read" ? "read" : "changed"}; use list to see what is there.`;
  throw new FileFault("not_a_file", `${shown} is ${names[kind]}, not a regular file. ${step}`);
}
