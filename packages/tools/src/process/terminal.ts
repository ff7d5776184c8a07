import { closeSync, constants, existsSync, openSync, write } from "node:fs";
import { createRequire } from "node:module";
import { setTimeout as delay } from "node:timers/promises";
import { ReadStream } from "node:tty";
import type { PipeReader } from "./pipe-reader.ts";
import type { PipeWriter } from "./pipe-writer.ts";
import type { TerminalAvailability, TerminalSize } from "./process-backend.ts";

/** The optional package whose prebuilt addon opens pseudo-terminals. Installed by whoever wants terminals. */
const addonPackage = "@lydell/node-pty";

const setsid = "/usr/bin/setsid";

/** Makes its caller the owner of the terminal on its standard input: part of util-linux. */
export const takeTerminal: readonly string[] = [setsid, "--ctty"];

interface Addon {
  open(cols: number, rows: number): { readonly master: number; readonly slave: number; readonly pty: string };
  resize(descriptor: number, cols: number, rows: number): void;
}

/** One pseudo-terminal: the command's end, and ours. */
export interface Terminal {
  readonly commandEnd: number;
  /** After the command was started: our copy of its end is closed. */
  closeCommandEnd(): void;
  read(onChunk: (chunk: Uint8Array) => void): PipeReader;
  readonly input: PipeWriter;
  resize(size: TerminalSize): boolean;
}

let loaded: { readonly addon: Addon } | { readonly fault: string } | undefined;

function load(): { readonly addon: Addon } | { readonly fault: string } {
  if (!existsSync(setsid)) return { fault: `${setsid}, a part of util-linux, is not installed` };
  try {
    const here = createRequire(import.meta.url);
    const found: unknown = createRequire(here.resolve(addonPackage))(`${addonPackage}-${process.platform}-${process.arch}/pty.node`);
    return isAddon(found) ? { addon: found } : { fault: `${addonPackage} has no addon for this platform` };
  } catch {
    return { fault: `the optional package ${addonPackage} is not installed` };
  }
}

function isAddon(found: unknown): found is Addon {
  return typeof found === "object" && found !== null && "open" in found && "resize" in found;
}

export function terminalAvailability(): TerminalAvailability {
  loaded ??= load();
  return "addon" in loaded ? { available: true } : { available: false, reason: loaded.fault };
}

/** @throws where terminals are not available */
export function openTerminal({ cols, rows }: TerminalSize): Terminal {
  loaded ??= load();
  if ("fault" in loaded) throw new Error(loaded.fault);
  const { addon } = loaded;
  const { master, slave, pty } = addon.open(cols, rows);
  // The addon's own handle never blocks, which would confuse the command; and is not closed on exec.
  const commandEnd = openSync(pty, constants.O_RDWR | constants.O_NOCTTY);
  closeSync(slave);
  let open = true;
  return {
    commandEnd,
    closeCommandEnd: () => closeSync(commandEnd),
    read(onChunk) {
      const stream = new ReadStream(master);
      const ended = new Promise<void>((resolve) => {
        stream.once("close", () => resolve());
        // EIO: the last process has closed the terminal.
        stream.on("error", () => resolve());
      });
      stream.on("data", (chunk: Buffer) => onChunk(chunk));
      return {
        async drain() {
          await Promise.race([ended, delay(maxDrainMs, undefined, { ref: false })]);
          open = false;
          stream.destroy();
        },
      };
    },
    input: {
      write: (bytes) => (open ? writeAll(master, bytes) : Promise.resolve(false)),
      close() {},
    },
    resize(size) {
      if (!open) return false;
      addon.resize(master, size.cols, size.rows);
      return true;
    },
  };
}

/** After everything is gone, what a terminal still holds comes at once. */
const maxDrainMs = 300;

const retryMs = 5;
const maxRetries = 1000;

/** The terminal's buffer is small: what does not fit waits for the command to read. */
async function writeAll(descriptor: number, bytes: Uint8Array): Promise<boolean> {
  let done = 0;
  for (let retries = 0; done < bytes.length && retries < maxRetries; ) {
    const written = await writeSome(descriptor, bytes.subarray(done));
    if (written === undefined) return false;
    if (written === 0) {
      retries++;
      await delay(retryMs);
    }
    done += written;
  }
  return done === bytes.length;
}

function writeSome(descriptor: number, bytes: Uint8Array): Promise<number | undefined> {
  return new Promise((resolve) => {
    write(descriptor, bytes, (error, written) => resolve(error ? (error.code === "EAGAIN" ? 0 : undefined) : written));
  });
}
