/** What the kernel holds a command and its children to. Each applies to every process of it. */
export interface ResourceLimits {
  /** The largest core dump, in bytes: a crash must not litter the workspace. */
  readonly coreBytes: number;
  /** The largest file a process may write, in bytes. */
  readonly fileBytes: number;
  readonly openFiles: number;
}

export const defaultResourceLimits: ResourceLimits = { coreBytes: 0, fileBytes: 2 * 1024 ** 3, openFiles: 4096 };

/** POSIX shells count file sizes in blocks of this many bytes. */
const blockBytes = 512;

/**
 * The same command under limits. Node cannot set them, so a shell does before it becomes the command; where the system
 * allows less already, that stays.
 */
export function withLimits(argv: readonly string[], limits: ResourceLimits): readonly string[] {
  const settings = [`-c ${blocks(limits.coreBytes)}`, `-f ${blocks(limits.fileBytes)}`, `-n ${limits.openFiles}`];
  const script = [...settings.map((setting) => `ulimit ${setting} 2>/dev/null`), 'exec "$@"'].join("; ");
  return ["/bin/sh", "-c", script, "sh", ...argv];
}

function blocks(bytes: number): number {
  return Math.floor(bytes / blockBytes);
}
