import { Socket, type ConnectOpts, type SocketConstructorOpts } from "node:net";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";

/** Delivers what comes through the read end of a pipe, through one reused buffer. */
export interface PipeReader {
  /**
   * Waits for the end of the pipe and closes it. A writer outside the command's namespace (a descriptor it passed on)
   * cannot keep this open: what is in the pipe is delivered, then it is closed.
   */
  drain(): Promise<void>;
}

/** As much as a pipe holds by default, in bytes. */
const readBytes = 65_536;

/** Without a byte for this long after everything is gone, the pipe is empty, whoever still holds it. */
const quietMs = 100;

/** The longest a foreign writer is listened to. */
const maxDrainMs = 2000;

export function readPipe(readEnd: number, onChunk: (chunk: Uint8Array) => void): PipeReader {
  const buffer = Buffer.allocUnsafeSlow(readBytes);
  let chunks = 0;
  const options: SocketConstructorOpts & ConnectOpts = {
    fd: readEnd,
    readable: true,
    writable: false,
    onread: {
      buffer,
      callback(length) {
        chunks++;
        onChunk(buffer.subarray(0, length));
        return true;
      },
    },
  };
  const socket = new Socket(options);
  const ended = new Promise<true>((resolve) => {
    socket.once("end", () => resolve(true));
    socket.once("error", () => resolve(true));
    socket.once("close", () => resolve(true));
  });
  socket.resume();

  async function quiet(): Promise<false> {
    const start = performance.now();
    let before = -1;
    while (before !== chunks && performance.now() - start < maxDrainMs) {
      before = chunks;
      await wait(quietMs, undefined, { ref: false });
      await nextTurn();
      await nextTurn();
    }
    return false;
  }

  return {
    async drain() {
      await Promise.race([ended, quiet()]);
      socket.destroy();
    },
  };
}
