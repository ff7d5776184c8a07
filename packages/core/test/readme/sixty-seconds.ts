import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { resultText } from "@fencepost/contract";
import { openSession } from "@fencepost/core";

const workspace = join(homedir(), "fencepost-hello");
mkdirSync(workspace, { recursive: true });
writeFileSync(join(workspace, "greeting.txt"), "hello\n");
writeFileSync(join(workspace, ".env"), "A=0\n");

// Nobody to ask: what would need a person's yes is refused.
const session = await openSession({ workspace });

async function call(callId: string, toolId: string, input: object): Promise<string> {
  return resultText(await session.call({ callId, toolId, input }));
}

console.log(await call("1", "read", { path: "greeting.txt" }));
// 1	hello

console.log(await call("2", "edit", { filePath: "greeting.txt", oldString: "hello", newString: "hello, world" }));
// Edited greeting.txt:1 (+1 -1)

console.log((await call("3", "bash", { command: "cat greeting.txt" })).split("\n")[0]);
// hello, world

// The file tool refuses a protected name. So does the kernel, whatever the command says.
console.log((await call("4", "write", { path: ".env", content: "A=1\n" })).split("\n")[0]);
// [sandbox: write access to .env denied under auto mode]

const fromShell = await call("5", "bash", { command: "echo A=1 >> .env" });
console.log(fromShell.split("\n").find((line) => line.startsWith("[sandbox")));
// [sandbox: file access denied under auto mode]

console.log((await session.undo(["2"])).changed.length);
// 1
await session.close();
