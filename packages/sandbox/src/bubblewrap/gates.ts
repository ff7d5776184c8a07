import { closeSync, constants, openSync, writeSync } from "node:fs";
import { basename } from "node:path";
import { Fifos } from "../backend/fifos.ts";

/** Keeps one runner from starting its command until somebody has looked at what it has set up. */
export interface Gate {
  /** The name that the FIFO had: random, and still to be seen with whoever has it open. */
  readonly name: string;
  /** For the runner's `--block-fd`. It can be written too, so that the death of this process does not open the gate. */
  readonly descriptor: number;
  open(): void;
  /** Without effect on a second call. */
  close(): void;
}

/** The runner reads once or twice, one byte each. */
const openingBytes = "go";

/** Each is used once. */
export function gates(): Fifos<Gate> {
  return new Fifos({
    open: (path) => gateOn(basename(path), openSync(path, constants.O_RDWR | constants.O_NOFOLLOW)),
    discard: (gate) => gate.close(),
  });
}

function gateOn(name: string, descriptor: number): Gate {
  let isOpen = true;
  return {
    name,
    descriptor,
    open: () => void (isOpen && writeSync(descriptor, openingBytes)),
    close: () => {
      if (isOpen) closeSync(descriptor);
      isOpen = false;
    },
  };
}
