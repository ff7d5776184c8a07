import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { openSession } from "@fencepost/core";

const workspace = mkdtempSync(join(homedir(), "project-"));
const session = await openSession({ workspace });

await session.call({ callId: "create", toolId: "write", input: { path: "src/a.txt", content: "one\n" } });
await session.call({ callId: "edit", toolId: "edit", input: { filePath: "src/a.txt", oldString: "one", newString: "two" } });
console.log(session.changes().map(({ changeId, path, additions, deletions }) => `${changeId}: ${path} +${additions} -${deletions}`).join(", "));
// create: src/a.txt +1 -0, edit: src/a.txt +1 -1

// One call back: the file is as it was before.
await session.undo(["edit"]);
console.log(readFileSync(join(workspace, "src/a.txt"), "utf8").trim());
// one

// And forth again.
await session.reapply(["edit"]);
console.log(readFileSync(join(workspace, "src/a.txt"), "utf8").trim());
// two

// Somebody else has changed the file: nothing is touched, and the outcome names it.
writeFileSync(join(workspace, "src/a.txt"), "mine\n");
console.log((await session.undo(["create", "edit"])).conflicts.map((path) => path.slice(workspace.length + 1)));
// [ 'src/a.txt' ]
await session.close();
