import { randomBytes } from "node:crypto";

/** Who made a temporary file: enough to see later that its maker is gone. */
export interface TemporaryOwner {
  readonly pid: number;
  readonly started: string;
}

const pattern = /^\.fp-(\d+)-(\d+)-[0-9a-f]{8}\.tmp$/;

/**
 * A name for a file that lives until a rename: short, so that it fits where a 255-byte name does; random, so that
 * nobody can wait for it; and saying who made it, so that the next start can tell a stale one.
 */
export function temporaryName(owner: TemporaryOwner): string {
  return `.fp-${owner.pid}-${owner.started}-${randomBytes(4).toString("hex")}.tmp`;
}

/** Such names are never listed, globbed or searched. */
export function isTemporaryName(name: string): boolean {
  return pattern.test(name);
}

export function isTemporaryOf(name: string, owner: TemporaryOwner): boolean {
  const match = pattern.exec(name);
  return match !== null && match[1] === String(owner.pid) && match[2] === owner.started;
}
