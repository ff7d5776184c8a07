/** Finds files and lines in them. The local implementation walks this machine's disk. */
export interface SearchBackend {
  close(): Promise<void>;
}
