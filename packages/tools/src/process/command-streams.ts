import { closeSync } from "node:fs";
import type { KernelPipe } from "./kernel-pipe.ts";
import { readPipe, type PipeReader } from "./pipe-reader.ts";
import { writePipe, type PipeWriter } from "./pipe-writer.ts";
import type { TerminalSize } from "./process-backend.ts";
import type { StandardStreams } from "./runner.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

/** The standard streams of one command: its ends, then ours. */
export interface CommandStreams {
  readonly commandEnds: StandardStreams;
  /** Our copies of the command's ends: while we hold them, there is no end of the output. */
  closeCommandEnds(): void;
  /** Takes our ends into use. From then on they close by themselves. */
  connect(onChunk: (chunk: Uint8Array) => void): ConnectedStreams;
  /** Nothing was started. */
  closeAll(): void;
}

export interface ConnectedStreams {
  readonly reader: PipeReader;
  readonly input: PipeWriter | undefined;
  readonly terminal: Terminal | undefined;
}

/** One pipe for both outputs, and one for the input where it is wanted. */
export async function pipeStreams(take: () => Promise<KernelPipe>, withInput: boolean): Promise<CommandStreams> {
  const output = await take();
  const input = withInput ? await take() : undefined;
  const ours = new Set([output.readEnd, output.writeEnd, ...(input ? [input.readEnd, input.writeEnd] : [])]);
  const close = (descriptor: number | undefined): void => {
    if (descriptor !== undefined && ours.delete(descriptor)) closeSync(descriptor);
  };
  return {
    commandEnds: { input: input?.readEnd ?? "ignore", output: output.writeEnd },
    closeCommandEnds() {
      close(output.writeEnd);
      close(input?.readEnd);
    },
    connect(onChunk) {
      ours.clear();
      return { reader: readPipe(output.readEnd, onChunk), input: input && writePipe(input.writeEnd), terminal: undefined };
    },
    closeAll() {
      for (const descriptor of Array.from(ours)) close(descriptor);
    },
  };
}

/** One terminal for all three. */
export function terminalStreams(size: TerminalSize): CommandStreams {
  const terminal = openTerminal(size);
  const { commandEnd } = terminal;
  let closed = false;
  const closeCommandEnds = (): void => {
    if (!closed) terminal.closeCommandEnd();
    closed = true;
  };
  return {
    commandEnds: { input: commandEnd, output: commandEnd },
    closeCommandEnds,
    connect: (onChunk) => ({ reader: terminal.read(onChunk), input: terminal.input, terminal }),
    closeAll() {
      closeCommandEnds();
      void terminal.read(() => undefined).drain();
    },
  };
}
