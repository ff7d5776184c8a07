import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

/** The reference MCP server for files, kept running: only its search is measured, not its start. */
export interface FilesystemServer {
  searchFiles(pattern: string): Promise<void>;
  close(): Promise<void>;
}

interface Reply {
  readonly id: number;
  readonly error?: unknown;
}

export async function openFilesystemServer(root: string): Promise<FilesystemServer> {
  const entry = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-filesystem/dist/index.js");
  const child = spawn(process.execPath, [entry, root], { stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map<number, (reply: Reply) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message: unknown = JSON.parse(line);
    if (isReply(message)) waiting.get(message.id)?.(message);
  });
  let ids = 0;
  const request = async (method: string, params: object): Promise<void> => {
    const id = ++ids;
    const answered = new Promise<Reply>((resolve) => void waiting.set(id, resolve));
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    const { error } = await answered;
    waiting.delete(id);
    if (error !== undefined) throw new Error(`server-filesystem: ${JSON.stringify(error)}`);
  };
  await request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1" } });
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  return {
    searchFiles: (pattern) => request("tools/call", { name: "search_files", arguments: { path: root, pattern } }),
    close: () =>
      new Promise((resolve) => {
        child.once("close", () => resolve());
        child.kill();
      }),
  };
}

function isReply(message: unknown): message is Reply {
  return typeof message === "object" && message !== null && "id" in message && typeof message.id === "number";
}
