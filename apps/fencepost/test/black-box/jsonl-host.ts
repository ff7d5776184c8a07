import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { ToolResult } from "@fencepost/contract";
import { commandPath } from "./built-command.ts";
import type { World } from "./world.ts";

export interface Message {
  readonly id?: string | null;
  readonly ready?: { readonly protocol: number; readonly session: string; readonly workspace: string; readonly mode: string; readonly sandbox: { readonly available: boolean; readonly backend: string; readonly reason: string | null } };
  readonly result?: ToolResult & { readonly cancelled?: boolean; readonly mode?: string; readonly changed?: readonly string[]; readonly conflicts?: readonly string[] };
  readonly error?: { readonly code: string; readonly message: string };
  readonly progress?: { readonly kind: string; readonly text: string };
  readonly permission?: { readonly requestId: string; readonly callId: string; readonly kinds: readonly string[]; readonly paths: readonly { readonly path: string; readonly access: string; readonly scope: string; readonly tier: string }[]; readonly command?: string; readonly justification?: string };
}

/** A host of `session --jsonl` as another program would be one. */
export interface JsonlHost {
  readonly pid: number;
  readonly messages: readonly Message[];
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  send(...messages: (object | string)[]): void;
  /** The first message that fits, now or later. */
  when(fits: (message: Message) => boolean): Promise<Message>;
  /** Sends one call and gives its result. Fails where the call shows a card. */
  call(tool: string, input: object, id?: string): Promise<ToolResult>;
  /** Ends the input. */
  end(): void;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null; readonly stderr: string }>;
}

export async function startHost(world: World, args: readonly string[] = []): Promise<JsonlHost> {
  const child = spawn(process.execPath, [commandPath, "session", "--jsonl", "--workspace", world.workspace, ...args], { cwd: world.base, env: world.env, stdio: ["pipe", "pipe", "pipe"] });
  const messages: Message[] = [];
  const waiting = new Set<() => void>();
  let rest = "";
  let stderr = "";
  let closed = false;
  child.stdin.on("error", () => {});
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const message: Message = JSON.parse(line);
      messages.push(message);
    }
    for (const wake of waiting) wake();
  });
  const exited = new Promise<Awaited<JsonlHost["exited"]>>((resolve) => {
    child.once("close", (code, signal) => {
      closed = true;
      for (const wake of waiting) wake();
      resolve({ code, signal, stderr });
    });
  });
  const when = (fits: (message: Message) => boolean): Promise<Message> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = messages.find(fits);
        if (found === undefined && !closed) return;
        waiting.delete(look);
        if (found === undefined) reject(new Error(`the session ended first: ${stderr}`));
        else resolve(found);
      };
      waiting.add(look);
      look();
    });
  let calls = 0;
  const host: JsonlHost = {
    pid: child.pid ?? 0,
    messages,
    child,
    exited,
    when,
    send: (...lines) => void child.stdin.write(lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("")),
    end: () => void child.stdin.end(),
    async call(tool, input, id = `call-${(calls += 1)}`) {
      host.send({ id, tool, input });
      const { result, error, permission } = await when((message) => (message.id === id && message.progress === undefined) || message.permission?.callId === id);
      if (permission !== undefined) throw new Error(`${tool} asked: ${permission.kinds.join(", ")}`);
      if (result === undefined) throw new Error(`${tool} got an error: ${error?.message}`);
      return result;
    },
  };
  await when((message) => message.ready !== undefined);
  return host;
}
