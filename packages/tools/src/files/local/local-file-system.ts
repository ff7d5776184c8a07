import { constants, type BigIntStats, type Dirent } from "node:fs";
import { link, lstat, mkdir, open, readdir, readlink, realpath, rename, rmdir, stat, unlink, type FileHandle } from "node:fs/promises";
import { FileSystemError, type DirectoryEntry, type FileKind, type FileStat, type FileSystem, type HeldDirectory, type OpenFile } from "../file-system.ts";

/** The disk of this machine. */
export function createLocalFileSystem(): FileSystem {
  return {
    lstat: (path) => named("lstat", path, async () => toStat(await lstat(path, { bigint: true }))),
    stat: (path) => named("stat", path, async () => toStat(await stat(path, { bigint: true }))),
    realpath: (path) => named("realpath", path, () => realpath(path)),
    readlink: (path) => named("readlink", path, () => readlink(path)),
    open: (path, mode, permissions = 0o666) => named("open", path, async () => openFile(await open(path, openFlags[mode], permissions), path)),
    readDirectory: (path) => named("read directory", path, async () => (await readdir(path, { withFileTypes: true })).map(toEntry)),
    makeDirectory: (path, permissions = 0o777) => named("make directory", path, async () => {
      await mkdir(path, permissions);
    }),
    removeDirectory: (path) => named("remove directory", path, () => rmdir(path)),
    rename: (from, to) => named("rename", from, () => rename(from, to)),
    link: (from, to) => named("link", from, () => link(from, to)),
    unlink: (path) => named("unlink", path, () => unlink(path)),
    syncDirectory: (path) => named("sync directory", path, () => syncDirectory(path)),
    holdDirectory: (path) => named("hold directory", path, () => holdDirectory(path)),
  };
}

/** Not blocking: opening a FIFO without a writer would wait for ever. Not following: the caller has resolved links. */
const safeOpen = constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

const openFlags = {
  read: constants.O_RDONLY | safeOpen,
  create: constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | safeOpen,
  update: constants.O_RDWR | safeOpen,
} as const;

/** Linux only, and not among Node's constants: a descriptor that names a place and needs no permission to read it. */
const pathOnly = 0o10000000;

async function holdDirectory(path: string): Promise<HeldDirectory> {
  if (process.platform !== "linux") {
    if ((await realpath(path)) !== path) throw new FileSystemError("ELOOP", path, "hold directory");
    return { path, close: () => Promise.resolve() };
  }
  const handle = await open(path, pathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(async (error: unknown) => {
    // Of a symlink the kernel only says that it is no directory.
    const isLink = await lstat(path).then((entry) => entry.isSymbolicLink(), () => false);
    throw isLink ? new FileSystemError("ELOOP", path, "hold directory") : error;
  });
  const held = `/proc/self/fd/${handle.fd}`;
  const reached = await readlink(held).catch(() => undefined);
  if (reached === path) return { path: held, close: () => handle.close() };
  await handle.close();
  throw new FileSystemError(reached?.endsWith(" (deleted)") ? "ENOENT" : "ELOOP", path, "hold directory");
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function openFile(handle: FileHandle, path: string): OpenFile {
  return {
    stat: () => named("stat", path, async () => toStat(await handle.stat({ bigint: true }))),
    read: (into, position) => named("read", path, async () => (await handle.read(into, 0, into.length, position)).bytesRead),
    write: (bytes, position) => named("write", path, async () => (await handle.write(bytes, 0, bytes.length, position)).bytesWritten),
    truncate: (length) => named("truncate", path, () => handle.truncate(length)),
    changeMode: (permissions) => named("change mode", path, () => handle.chmod(permissions)),
    changeOwner: (uid, gid) => named("change owner", path, () => handle.chown(uid, gid)),
    sync: () => named("sync", path, () => handle.sync()),
    close: () => named("close", path, () => handle.close()),
  };
}

/** Every failure leaves as a `FileSystemError`, so that no tool depends on Node's shape of errors. */
async function named<T>(operation: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileSystemError) throw error;
    const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "EIO";
    throw new FileSystemError(code, path, operation);
  }
}

const permissionBits = 0o7777n;

function toStat(stats: BigIntStats): FileStat {
  return {
    kind: kindOf(stats),
    size: Number(stats.size),
    permissions: Number(stats.mode & permissionBits),
    uid: Number(stats.uid),
    gid: Number(stats.gid),
    device: stats.dev,
    inode: stats.ino,
    links: Number(stats.nlink),
    modifiedNs: stats.mtimeNs,
    changedNs: stats.ctimeNs,
  };
}

function toEntry(entry: Dirent): DirectoryEntry {
  return { name: entry.name, kind: kindOf(entry) };
}

function kindOf(entry: Pick<BigIntStats, "isFile" | "isDirectory" | "isSymbolicLink" | "isFIFO" | "isSocket" | "isBlockDevice" | "isCharacterDevice">): FileKind {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  if (entry.isSymbolicLink()) return "symlink";
  if (entry.isFIFO()) return "fifo";
  if (entry.isSocket()) return "socket";
  if (entry.isBlockDevice() || entry.isCharacterDevice()) return "device";
  return "other";
}
