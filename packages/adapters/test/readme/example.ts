import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { anthropicTools } from "@fencepost/adapters/anthropic";
import { openAiTools } from "@fencepost/adapters/openai";
import { openSession } from "@fencepost/core";

const workspace = realpathSync(mkdtempSync(join(tmpdir(), "hello-")));
const session = await openSession({ workspace });

// Definitions out: for `tools` of `client.responses.create`.
const openai = openAiTools(session);
console.log(openai.responses.map((tool) => tool.name).join());
// read,write,edit,grep,glob,list,bash

// Calls in: what the model's response holds, and what goes back to it.
const item = { type: "function_call", call_id: "call_1", name: "write", arguments: '{"path":"a.txt","content":"hello\\n"}' } as const;
console.log((await openai.dispatch(item)).output);
// Created a.txt (+1)

// The same session for Anthropic's models, with the editor they were trained on.
const anthropic = anthropicTools(session, { native: ["text_editor"] });
const view = { id: "toolu_1", name: "str_replace_based_edit_tool", input: { command: "view", path: "a.txt" } };
console.log(JSON.stringify((await anthropic.dispatch(view)).content));
// [{"type":"text","text":"1\thello"}]

// Whatever came through an adapter is the session's: it can be undone.
console.log((await session.undo(["call_1"])).changed.length);
// 1
await session.close();
rmSync(workspace, { recursive: true });
