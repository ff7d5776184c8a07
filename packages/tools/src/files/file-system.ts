/**
 * The file operations the tools are built on: small enough for a container, a remote machine or a fault-injecting
 * double to stand behind. Every failure is a `FileSystemError` with an errno code. Paths are absolute.
 */
export interface FileSystem {
  /** Of the entry itself: a symlink is reported as one. */
  lstat(path: string): Promise<FileStat>;
  /** Of what the path leads to. */
  stat(path: string): Promise<FileStat>;
  realpath(path: string): Promise<string>;
  readlink(path: string): Promise<string>;
  /**
   * `read`: existing file, never blocks on a FIFO. `create`: a new file, fails with EEXIST. `update`: existing file,
   * read and write, not truncated. None follows a symlink in the last segment (ELOOP).
   */
  open(path: string, mode: "read" | "create" | "update", permissions?: number): Promise<OpenFile>;
  /** Entries in no particular order, with their types. */
  readDirectory(path: string): Promise<readonly DirectoryEntry[]>;
  makeDirectory(path: string, permissions?: number): Promise<void>;
  removeDirectory(path: string): Promise<void>;
  /** Replaces an existing target. */
  rename(from: string, to: string): Promise<void>;
  /** Fails with EEXIST where the target exists: the way to move without overwriting. */
  link(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Makes the directory's entries durable. */
  syncDirectory(path: string): Promise<void>;
  /**
   * Pins a directory so that what is done through it cannot be redirected by someone who swaps one of its parents.
   * Fails with ELOOP where `path` is not canonical.
   */
  holdDirectory(path: string): Promise<HeldDirectory>;
}

export interface HeldDirectory {
  /** Stands for the directory until `close`: join a name to it. Not for texts. */
  readonly path: string;
  close(): Promise<void>;
}

export interface OpenFile {
  stat(): Promise<FileStat>;
  /** Bytes read, 0 at the end. `position` null reads on from where the last read ended. */
  read(into: Uint8Array, position: number | null): Promise<number>;
  /** Bytes written: may be fewer than asked. */
  write(bytes: Uint8Array, position: number): Promise<number>;
  truncate(length: number): Promise<void>;
  changeMode(permissions: number): Promise<void>;
  changeOwner(uid: number, gid: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

export type FileKind = "file" | "directory" | "symlink" | "fifo" | "socket" | "device" | "other";

export interface FileStat {
  readonly kind: FileKind;
  readonly size: number;
  /** Permission bits, e.g. 0o644. */
  readonly permissions: number;
  readonly uid: number;
  readonly gid: number;
  readonly device: bigint;
  readonly inode: bigint;
  readonly links: number;
  readonly modifiedNs: bigint;
  readonly changedNs: bigint;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: FileKind;
}

/** An operation failed with an errno code such as ENOENT or EACCES. */
export class FileSystemError extends Error {
  override readonly name = "FileSystemError";
  readonly code: string;
  readonly path: string;

  constructor(code: string, path: string, operation: string) {
    super(`${operation} ${path}: ${code}`);
    this.code = code;
    this.path = path;
  }
}
