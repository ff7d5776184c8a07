import { Fifos } from "@fencepost/sandbox/fifos";
import { closeSync, constants, openSync } from "node:fs";

/** Both ends of one kernel pipe, as descriptors of this process. Whoever takes it closes them. */
export interface KernelPipe {
  readonly readEnd: number;
  readonly writeEnd: number;
}

/**
 * Real pipes, which Node does not offer: its "pipe" is a socket pair, and a socket cannot be opened again by name, so
 * `/dev/stderr` would fail inside. A FIFO that was opened at both ends and unlinked is the same thing as a pipe. Each
 * is used once, so that no command can keep a handle on the output of another.
 */
export type KernelPipes = Pick<Fifos<KernelPipe>, "take">;

export function createKernelPipes(): KernelPipes {
  return new Fifos({
    open: openBothEnds,
    discard({ readEnd, writeEnd }) {
      closeSync(readEnd);
      closeSync(writeEnd);
    },
  });
}

/** Opening one end of a FIFO waits for the other, unless a third handle already holds both. */
function openBothEnds(path: string): KernelPipe {
  const both = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  try {
    const readEnd = openSync(path, constants.O_RDONLY);
    return { readEnd, writeEnd: openSync(path, constants.O_WRONLY) };
  } finally {
    closeSync(both);
  }
}
