import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { resultText } from "@fencepost/contract";
import { openSession } from "@fencepost/core";

const workspace = realpathSync(mkdtempSync(join(homedir(), "hello-")));

const session = await openSession({
  workspace,
  // Asked where a call wants more than the policy gives. Here: yes to `.env`, no to all else.
  approver: {
    decide: async (card) => {
      console.log(`${card.toolId} asks for ${card.paths.map((path) => path.access).join()}: ${card.justification ?? ""}`);
      return card.paths.every(({ path }) => path === join(workspace, ".env")) ? "allow" : "deny";
    },
  },
});

let calls = 0;
async function call(toolId: string, input: object): Promise<void> {
  const result = await session.call({ callId: `call-${++calls}`, toolId, input });
  console.log(`${result.status}: ${resultText(result).split("\n")[0] ?? ""}`);
}

await call("write", { path: "hello.txt", content: "hello\n" });
// succeeded: Created hello.txt (+1)
await call("write", { path: ".env", content: "A=1\n" });
// denied: [sandbox: write access to .env denied under auto mode]
await call("write", {
  path: ".env",
  content: "A=1\n",
  sandboxPermissions: { paths: [{ path: ".env", access: "write", scope: "exact" }] },
  justification: "The tests read A from it.",
});
// write asks for write: The tests read A from it.
// succeeded: Created .env (+1)
console.log(await session.undo(["call-1", "call-3"]).then(({ changed }) => changed.length));
// 2
await session.close();
rmSync(workspace, { recursive: true });
