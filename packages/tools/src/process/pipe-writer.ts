import { Socket } from "node:net";

/** Writes to the write end of a pipe. A reader that is gone, or never reads, costs nothing but the answer `false`. */
export interface PipeWriter {
  /** True once the pipe took the bytes. */
  write(bytes: Uint8Array): Promise<boolean>;
  close(): void;
}

export function writePipe(writeEnd: number): PipeWriter {
  const socket = new Socket({ fd: writeEnd, readable: false, writable: true });
  let open = true;
  socket.on("error", () => (open = false));
  socket.on("close", () => (open = false));

  return {
    write(bytes) {
      if (!open) return Promise.resolve(false);
      return new Promise((resolve) => {
        socket.once("close", () => resolve(false));
        socket.write(bytes, (error) => resolve(!error));
      });
    },
    close() {
      open = false;
      socket.destroySoon();
    },
  };
}
