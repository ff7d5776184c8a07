/** Real path → SHA-256 (hex) of the content last read or written. Owned by the host's session, in memory only. */
export interface Observations {
  get(realPath: string): string | undefined;
  record(realPath: string, sha256: string): void;
  forget(realPath: string): void;
}

export function createObservations(): Observations {
  const seen = new Map<string, string>();
  return {
    get: (realPath) => seen.get(realPath),
    record: (realPath, sha256) => void seen.set(realPath, sha256),
    forget: (realPath) => void seen.delete(realPath),
  };
}
