import { basename, dirname, join, resolve } from "node:path/posix";
import { FileSystemError, type FileKind } from "../files/file-system.ts";

export interface MemoryNode {
  readonly kind: FileKind;
  readonly inode: bigint;
  bytes: Buffer;
  permissions: number;
  uid: number;
  gid: number;
  links: number;
  modifiedNs: bigint;
  changedNs: bigint;
  readonly entries: Map<string, MemoryNode>;
  readonly target: string;
}

type NewNode = { readonly kind: FileKind; readonly permissions: number; readonly target?: string };

/** The tree of an in-memory disk. Every failure is a `FileSystemError` with the code that Linux gives. */
export interface MemoryTree {
  find(path: string, follow: boolean): MemoryNode;
  realpath(path: string): string;
  linkTarget(path: string): string;
  entries(path: string): readonly (readonly [string, MemoryNode])[];
  open(path: string, mode: "read" | "create" | "update", permissions: number): MemoryNode;
  add(path: string, node: NewNode): void;
  removeDirectory(path: string): void;
  rename(from: string, to: string): void;
  link(from: string, to: string): void;
  unlink(path: string): void;
}

const maxLinks = 40;
const maxNameBytes = 255;

export function createMemoryTree(): MemoryTree {
  let inodes = 0n;
  const create = ({ kind, permissions, target = "" }: NewNode): MemoryNode => {
    const now = BigInt(Date.now()) * 1_000_000n;
    return { kind, inode: ++inodes, bytes: Buffer.alloc(0), permissions, uid: 0, gid: 0, links: 1, modifiedNs: now, changedNs: now, entries: new Map(), target };
  };
  const root = create({ kind: "directory", permissions: 0o755 });

  /** The real path and node of a path whose last segment may be missing. */
  const walk = (path: string, follow: boolean, linksLeft = maxLinks): { readonly real: string; readonly node: MemoryNode | undefined } => {
    let real = "/";
    let node: MemoryNode | undefined = root;
    const segments = resolve("/", path).split("/").filter((segment) => segment !== "");
    for (const [index, segment] of segments.entries()) {
      if (node === undefined) throw new FileSystemError("ENOENT", path, "walk");
      if (node.kind !== "directory") throw new FileSystemError("ENOTDIR", path, "walk");
      if (Buffer.byteLength(segment) > maxNameBytes) throw new FileSystemError("ENAMETOOLONG", path, "walk");
      const child: MemoryNode | undefined = node.entries.get(segment);
      const last = index === segments.length - 1;
      if (child?.kind === "symlink" && (!last || follow)) {
        if (linksLeft === 0) throw new FileSystemError("ELOOP", path, "walk");
        const rest = segments.slice(index + 1);
        return walk(join(resolve(real, child.target), ...rest), follow, linksLeft - 1);
      }
      real = join(real, segment);
      node = child;
    }
    return { real, node };
  };

  const find = (path: string, follow: boolean): MemoryNode => {
    const { node } = walk(path, follow);
    if (node === undefined) throw new FileSystemError("ENOENT", path, "find");
    return node;
  };

  const parentOf = (path: string): MemoryNode => {
    const parent = find(dirname(path), true);
    if (parent.kind !== "directory") throw new FileSystemError("ENOTDIR", path, "find");
    if (Buffer.byteLength(basename(path)) > maxNameBytes) throw new FileSystemError("ENAMETOOLONG", path, "find");
    return parent;
  };

  const requireFree = (path: string): MemoryNode => {
    const parent = parentOf(path);
    if (parent.entries.has(basename(path))) throw new FileSystemError("EEXIST", path, "add");
    return parent;
  };

  const detach = (path: string): MemoryNode => {
    const node = find(path, false);
    parentOf(path).entries.delete(basename(path));
    return node;
  };

  return {
    find,
    realpath(path) {
      const { real, node } = walk(path, true);
      if (node === undefined) throw new FileSystemError("ENOENT", path, "realpath");
      return real;
    },
    linkTarget(path) {
      const node = find(path, false);
      if (node.kind !== "symlink") throw new FileSystemError("EINVAL", path, "readlink");
      return node.target;
    },
    entries(path) {
      const node = find(path, true);
      if (node.kind !== "directory") throw new FileSystemError("ENOTDIR", path, "read directory");
      return [...node.entries];
    },
    open(path, mode, permissions) {
      if (mode === "create") {
        const node = create({ kind: "file", permissions });
        requireFree(path).entries.set(basename(path), node);
        return node;
      }
      const node = find(path, false);
      if (node.kind === "symlink") throw new FileSystemError("ELOOP", path, "open");
      if (node.kind === "directory" && mode === "update") throw new FileSystemError("EISDIR", path, "open");
      return node;
    },
    add(path, node) {
      requireFree(path).entries.set(basename(path), create(node));
    },
    removeDirectory(path) {
      const node = find(path, false);
      if (node.kind !== "directory") throw new FileSystemError("ENOTDIR", path, "remove directory");
      if (node.entries.size > 0) throw new FileSystemError("ENOTEMPTY", path, "remove directory");
      detach(path);
    },
    rename(from, to) {
      const node = find(from, false);
      const parent = parentOf(to);
      const replaced = parent.entries.get(basename(to));
      if (replaced === node) return;
      if (replaced?.kind === "directory" && node.kind !== "directory") throw new FileSystemError("EISDIR", to, "rename");
      if (replaced) replaced.links--;
      detach(from);
      parent.entries.set(basename(to), node);
    },
    link(from, to) {
      const node = find(from, false);
      if (node.kind === "directory") throw new FileSystemError("EPERM", from, "link");
      requireFree(to).entries.set(basename(to), node);
      node.links++;
    },
    unlink(path) {
      if (find(path, false).kind === "directory") throw new FileSystemError("EISDIR", path, "unlink");
      detach(path).links--;
    },
  };
}
