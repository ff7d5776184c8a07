import { randomBytes } from "node:crypto";
import { appendFileSync } from "node:fs";
import { succeeded } from "@fencepost/contract";
import { scriptedModel } from "../../src/model/scripted-model.ts";
import { openSqliteStore } from "../../src/store/sqlite/open-sqlite-store.ts";
import { workspace } from "../doubles/policy.ts";
import { scriptedSession } from "../doubles/scripted-session.ts";
import { scriptedToolset } from "../doubles/scripted-toolset.ts";

// Runs one turn after the other on one stored session until it is killed, or as often as it is told. Each execution of a
// tool leaves a line in a file, so that one that ran twice shows.
const [path = "", executions = "", turns = "Infinity"] = process.argv.slice(2);
const store = await openSqliteStore(path);
await store.recover();
if (!(await store.session("session"))) await store.createSession({ sessionId: "session", workspace, mode: "auto", createdAt: 1 }).catch(() => undefined);
const messages = (await store.messages("session")).map(({ message }) => message);

function* script(): Generator<{ text: string; calls?: { toolId: string; input: object }[] }> {
  for (;;) {
    for (const call of ["a", "b", "c"]) yield { text: call, calls: [1, 2].map((half) => ({ toolId: "read", input: { path: `${call}${half}`, tag: randomBytes(8).toString("hex") } })) };
    yield { text: "Done." };
  }
}

const toolset = scriptedToolset([
  {
    id: "read",
    run: (input) => {
      appendFileSync(executions, `${String(input["tag"])}\n`);
      return succeeded("ok");
    },
  },
]);
const { session } = scriptedSession({
  toolset,
  store,
  stored: { messages },
  drive: { model: scriptedModel(script()), store, instructions: "", maxModelCalls: 20, idleTimeoutMs: 5_000, parallelReadOnly: false, plans: true },
});
// A test that fails must not leave it running.
process.stdin.on("end", () => process.exit(1)).resume();
process.stdout.write("ready\n");
let done = 0;
for (let turn = 0; turn < Number(turns); ) {
  const { outcome } = await session.prompt(`go ${turn}`);
  if (outcome.status === "failed" && outcome.code === "busy") {
    await new Promise((resolve) => setTimeout(resolve, 1));
    continue;
  }
  turn += 1;
  if (outcome.status === "completed") done += 1;
}
process.stdout.write(`${done}\n`);
await store.close();
process.exit(0);
