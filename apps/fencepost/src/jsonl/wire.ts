import type { Writable } from "node:stream";

/** The sending side of the protocol: one JSON object a line. */
export interface Wire {
  send(message: object): void;
  /** Left out where the host does not keep up: nothing depends on it. */
  sendIfRoom(message: object): void;
  /** Settles when the host has read what was sent, or `stop` fires. */
  room(stop: AbortSignal): Promise<void>;
  /** Settles when everything sent has left the process. */
  written(): Promise<void>;
}

/** How much may wait unread before progress is dropped, in bytes. */
const maxUnreadBytes = 1024 * 1024;

export function createWire(output: Writable): Wire {
  const send = (message: object): void => {
    if (output.writable) output.write(`${JSON.stringify(message)}\n`);
  };
  return {
    send,
    sendIfRoom: (message) => {
      if (output.writableLength < maxUnreadBytes) send(message);
    },
    room: (stop) =>
      new Promise((resolve) => {
        if (!output.writableNeedDrain || stop.aborted) return resolve();
        const done = (): void => {
          output.off("drain", done).off("close", done);
          stop.removeEventListener("abort", done);
          resolve();
        };
        output.once("drain", done).once("close", done);
        return stop.addEventListener("abort", done);
      }),
    written: () =>
      new Promise((resolve) => {
        if (!output.writable || output.writableLength === 0) return resolve();
        return void output.write("", () => resolve());
      }),
  };
}
