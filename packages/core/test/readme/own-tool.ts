import { mkdtempSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { resultText } from "@fencepost/contract";
import { openSession } from "@fencepost/core";
import { builtinRegistry, defaultPreset } from "@fencepost/tools";
import { countLinesTool } from "./count-lines.ts";

const workspace = mkdtempSync(join(homedir(), "project-"));
writeFileSync(join(workspace, "a.txt"), "one\ntwo\n");

const session = await openSession({
  workspace,
  registry: builtinRegistry().register(countLinesTool),
  tools: [...defaultPreset.tools, countLinesTool.id],
});

console.log(resultText(await session.call({ callId: "1", toolId: "count_lines", input: { path: "a.txt" } })));
// a.txt has 2 lines.

console.log((await session.call({ callId: "2", toolId: "count_lines", input: { path: "~/.ssh/id_rsa" } })).status);
// denied

console.log(resultText(await session.call({ callId: "3", toolId: "count_lines", input: { file: "a.txt" } })));
// invalid tool input: `path` is missing; expected a non-empty string; unknown field `file`; expected only `path`
await session.close();
