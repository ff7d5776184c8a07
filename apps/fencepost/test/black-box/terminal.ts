import { spawn } from "@lydell/node-pty";
import { withoutColours } from "../colours.ts";
import { commandPath } from "./built-command.ts";
import type { World } from "./world.ts";

/** The command in a terminal of its own, as a person sits at it. */
export interface TerminalRun {
  /** Everything that reached the screen, escape codes and all. */
  readonly raw: () => string;
  /** The same as lines of text, without colours. */
  readonly lines: () => readonly string[];
  /** Settles once the text stands on the screen behind what an earlier call waited for. Rejects where the command ends first. */
  until(text: string): Promise<void>;
  type(keys: string): void;
  /** The exit code. */
  readonly exited: Promise<number>;
}

interface TerminalOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
}

export const keys = { enter: "\r", ctrlC: "\u0003", ctrlD: "\u0004" } as const;

export function openTerminal(world: World, args: readonly string[], { env = {}, columns = 80 }: TerminalOptions = {}): TerminalRun {
  const terminal = spawn(process.execPath, [commandPath, ...args], {
    cwd: world.workspace,
    env: { ...world.env, ...env },
    name: env["TERM"] ?? "xterm-256color",
    cols: columns,
    rows: 40,
  });
  let raw = "";
  let seen = 0;
  let ended = false;
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const look of waiting) look();
  };
  terminal.onData((text) => {
    raw += text;
    wake();
  });
  const exited = new Promise<number>((resolve) => {
    terminal.onExit(({ exitCode, signal }) => {
      ended = true;
      resolve(signal ? 128 + signal : exitCode);
      wake();
    });
  });
  return {
    raw: () => raw,
    lines: () => withoutColours(raw).split("\r\n"),
    exited,
    type: (text) => terminal.write(text),
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const at = withoutColours(raw).indexOf(text, seen);
          if (at < 0 && !ended) return;
          waiting.delete(look);
          if (at < 0) return reject(new Error(`${JSON.stringify(text)} never came:\n${raw}`));
          seen = at + text.length;
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}
