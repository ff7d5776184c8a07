import { FileSystemError, type FileKind, type FileStat, type FileSystem, type OpenFile } from "../files/file-system.ts";
import { createMemoryTree, type MemoryNode, type MemoryTree } from "./memory-tree.ts";

/** What happens instead of an operation, or to it. */
export type Fault =
  /** It fails with an errno code, having done nothing. */
  | { readonly kind: "error"; readonly code: string }
  /** A write takes at most so many bytes. */
  | { readonly kind: "short"; readonly bytes: number }
  /** The process dies before it: it and everything after it never happens. */
  | { readonly kind: "crash" };

/** Asked before each operation, with how many came before it. */
export type FaultPlan = (operation: string, path: string, count: number) => Fault | undefined;

/** The process is dead: no operation of it happens any more. */
export class ProcessDied extends Error {
  override readonly name = "ProcessDied";
}

export interface MemoryFileSystem {
  /** The disk as the running process sees it. */
  readonly fileSystem: FileSystem;
  /** How many operations there were. */
  readonly operations: number;
  inject(plan: FaultPlan | undefined): void;
  symlink(target: string, path: string): void;
  /** A new process on the same disk. Files that were not synced keep their content: only the process died. */
  restart(): MemoryFileSystem;
}

/** A file system in memory, for tests and for hosts without a disk. Its root is a directory with the mode 0755. */
export function createMemoryFileSystem(): MemoryFileSystem {
  return run(createMemoryTree());
}

function run(tree: MemoryTree): MemoryFileSystem {
  let plan: FaultPlan | undefined;
  let operations = 0;
  let dead = false;
  const step = async <T>(operation: string, path: string, work: (fault: Fault | undefined) => T): Promise<T> => {
    await Promise.resolve();
    const fault = plan?.(operation, path, operations++);
    if (fault?.kind === "crash") dead = true;
    if (dead) throw new ProcessDied(`the process died before ${operation} ${path}`);
    if (fault?.kind === "error") throw new FileSystemError(fault.code, path, operation);
    return work(fault);
  };
  const fileSystem: FileSystem = {
    lstat: (path) => step("lstat", path, () => statOf(tree.find(path, false))),
    stat: (path) => step("stat", path, () => statOf(tree.find(path, true))),
    realpath: (path) => step("realpath", path, () => tree.realpath(path)),
    readlink: (path) => step("readlink", path, () => tree.linkTarget(path)),
    open: (path, mode, permissions = 0o644) => step(`open ${mode}`, path, () => openFile(tree.open(path, mode, permissions), path, mode !== "read", step)),
    readDirectory: (path) => step("read directory", path, () => tree.entries(path).map(([name, node]) => ({ name, kind: node.kind }))),
    makeDirectory: (path, permissions = 0o755) => step("make directory", path, () => tree.add(path, { kind: "directory", permissions })),
    removeDirectory: (path) => step("remove directory", path, () => tree.removeDirectory(path)),
    rename: (from, to) => step("rename", from, () => tree.rename(from, to)),
    link: (from, to) => step("link", from, () => tree.link(from, to)),
    unlink: (path) => step("unlink", path, () => tree.unlink(path)),
    syncDirectory: (path) => step("sync directory", path, () => void tree.entries(path)),
    holdDirectory: (path) =>
      step("hold directory", path, () => {
        if (tree.realpath(path) !== path) throw new FileSystemError("ELOOP", path, "hold directory");
        tree.entries(path);
        return { path, close: () => Promise.resolve() };
      }),
  };
  return {
    fileSystem,
    get operations() {
      return operations;
    },
    inject: (next) => {
      plan = next;
      operations = 0;
    },
    symlink: (target, path) => tree.add(path, { kind: "symlink", permissions: 0o777, target }),
    restart: () => run(tree),
  };
}

type Step = <T>(operation: string, path: string, work: (fault: Fault | undefined) => T) => Promise<T>;

function openFile(node: MemoryNode, path: string, writable: boolean, step: Step): OpenFile {
  let next = 0;
  const changed = (): void => {
    node.modifiedNs = node.changedNs = BigInt(Date.now()) * 1_000_000n;
  };
  return {
    stat: () => step("fstat", path, () => statOf(node)),
    read: (into, position) =>
      step("read", path, () => {
        const start = position ?? next;
        const count = node.bytes.copy(into, 0, start, start + into.length);
        if (position === null) next += count;
        return count;
      }),
    write: (bytes, position) =>
      step("write", path, (fault) => {
        if (!writable) throw new FileSystemError("EBADF", path, "write");
        const part = fault?.kind === "short" ? bytes.subarray(0, fault.bytes) : bytes;
        const grown = Buffer.alloc(Math.max(node.bytes.length, position + part.length));
        node.bytes.copy(grown);
        grown.set(part, position);
        node.bytes = grown;
        changed();
        return part.length;
      }),
    truncate: (length) =>
      step("truncate", path, () => {
        const cut = Buffer.alloc(length);
        node.bytes.copy(cut);
        node.bytes = cut;
        changed();
      }),
    changeMode: (permissions) => step("change mode", path, () => void (node.permissions = permissions)),
    changeOwner: (uid, gid) => step("change owner", path, () => void Object.assign(node, { uid, gid })),
    sync: () => step("sync", path, () => undefined),
    close: () => step("close", path, () => undefined),
  };
}

function statOf(node: MemoryNode): FileStat {
  const { permissions, uid, gid, inode, links, modifiedNs, changedNs } = node;
  return { kind: node.kind satisfies FileKind, size: node.bytes.length, permissions, uid, gid, device: 1n, inode, links, modifiedNs, changedNs };
}
