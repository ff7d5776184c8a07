/** What `/proc` shows of a process besides its status: its environment, its arguments, its memory. */
const privateFiles = /^\/proc\/(?:\d+|self|thread-self)(?:\/task\/\d+)?\/(?:environ|cmdline|mem|auxv|stack|syscall|pagemap|maps|smaps|numa_maps)$/;

/**
 * Whether a path shows what another process keeps to itself. File tools run in the host's process, so `/proc/self` is
 * the host: its environment holds the keys of the models it talks to. A command sees only its own sandbox there.
 */
export function isProcessState(path: string): boolean {
  return privateFiles.test(path);
}

/** Whether a search of the directory would come across such files. */
export function holdsProcessState(directory: string): boolean {
  return directory === "/proc" || directory.startsWith("/proc/");
}
