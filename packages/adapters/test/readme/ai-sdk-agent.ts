import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { aiSdkTools, protocolApprover } from "@fencepost/adapters/ai-sdk";
import { openSession, type PermissionRequest } from "@fencepost/core";
import { generateText, stepCountIs, type ModelMessage } from "ai";
import { scriptedSdkModel } from "./scripted-sdk-model.ts";

const workspace = mkdtempSync(join(homedir(), "project-"));
writeFileSync(join(workspace, "limit.mjs"), "export const limit = 10;\n");

// `protocolApprover`: the SDK's own approval flow asks, not the session.
const session = await openSession({ workspace, approver: protocolApprover });

// Put your model here, such as `anthropic("claude-sonnet-4-5")`. This one says what a script says.
const model = scriptedSdkModel([
  [{ id: "c1", tool: "read", input: { path: "limit.mjs" } }],
  [{ id: "c2", tool: "edit", input: { filePath: "limit.mjs", oldString: "10", newString: "20" } }],
  [
    {
      id: "c3",
      tool: "write",
      input: {
        path: ".env",
        content: "LIMIT=20\n",
        sandboxPermissions: { paths: [{ path: ".env", access: "write", scope: "exact" }] },
        justification: "The service reads LIMIT from it.",
      },
    },
  ],
  "The limit is 20.",
]);

const cards: PermissionRequest[] = [];
const tools = aiSdkTools(session, { onQuestion: ({ card }) => cards.push(card) });
const messages: ModelMessage[] = [{ role: "user", content: "Raise the limit to 20." }];

let result = await generateText({ model, tools, messages, stopWhen: stepCountIs(20) });
messages.push(...result.response.messages);

// The agent has stopped at the call that needs a person's word. Show the card, then answer it.
const request = result.content.find((part) => part.type === "tool-approval-request");
console.log(cards.map(({ toolId, paths, justification }) => `${toolId} wants to ${paths[0]?.access} ${paths[0]?.tier} path: ${justification}`));
// [
//   'write wants to write sensitive path: The service reads LIMIT from it.'
// ]

if (request) messages.push({ role: "tool", content: [{ type: "tool-approval-response", approvalId: request.approvalId, approved: true }] });
result = await generateText({ model, tools, messages, stopWhen: stepCountIs(20) });
console.log(result.text);
// The limit is 20.

console.log(readFileSync(join(workspace, "limit.mjs"), "utf8").trim());
// export const limit = 20;

// Call ids are the SDK's, so what the agent did can be taken back.
console.log((await session.undo(["c2", "c3"])).changed.length);
// 2
await session.close();
