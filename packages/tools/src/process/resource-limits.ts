/** What the kernel holds a command and its children to. Each applies to every process of it. */
export interface ResourceLimits {
  /** The largest core dump, in bytes: a crash must not litter the workspace. */
  readonly coreBytes: number;
  /** The largest file a process may write, in bytes. */
  readonly fileBytes: number;
  readonly openFiles: number;
  /** Processes and threads of one command, counted by its sandbox; before Linux 5.14 and on macOS, all of its user. Does not bind root. */
  readonly processes?: number;
  /** Writable memory of one process, in bytes. Programs that reserve more than they use, as sanitizers do, do not start. */
  readonly memoryBytes?: number;
}

export const defaultResourceLimits: ResourceLimits = { coreBytes: 0, fileBytes: 2 * 1024 ** 3, openFiles: 4096, processes: 8192 };

/** POSIX shells count file sizes in blocks of this many bytes. */
const blockBytes = 512;

/**
 * The same command under limits. Node cannot set them, so a shell does before it becomes the command; where the system
 * allows less already, that stays.
 */
export function withLimits(argv: readonly string[], limits: ResourceLimits): readonly string[] {
  const { coreBytes, fileBytes, openFiles, processes, memoryBytes } = limits;
  const settings = [
    ulimit(`-c ${blocks(coreBytes)}`),
    ulimit(`-f ${blocks(fileBytes)}`),
    ulimit(`-n ${openFiles}`),
    // dash and bash do not agree on the letter.
    ...(processes === undefined ? [] : [`${ulimit(`-u ${processes}`)} || ${ulimit(`-p ${processes}`)}`]),
    ...(memoryBytes === undefined ? [] : [ulimit(`-d ${Math.floor(memoryBytes / 1024)}`)]),
  ];
  return ["/bin/sh", "-c", [...settings, 'exec "$@"'].join("; "), "sh", ...argv];
}

function ulimit(setting: string): string {
  return `ulimit ${setting} 2>/dev/null`;
}

function blocks(bytes: number): number {
  return Math.floor(bytes / blockBytes);
}
