import assert from "node:assert/strict";
import { foreignStatus, foreignStatuses } from "@fencepost/adapters";
// Types are all these two need of their peers.
import { anthropicTools } from "@fencepost/adapters/anthropic";
import { openAiTools } from "@fencepost/adapters/openai";
import { openSession } from "@fencepost/core";

const session = await openSession({ workspace: ".", stateHome: `${process.cwd()}/.state` });
const name = `adapters-${process.versions.node}.txt`;
const output = await openAiTools(session).dispatch({ type: "function_call", call_id: "1", name: "write", arguments: JSON.stringify({ path: name, content: "hello\n" }) });
assert.match(output.output, /Created/);
const result = await anthropicTools(session, { native: ["text_editor"] }).dispatch({ id: "2", name: "str_replace_based_edit_tool", input: { command: "view", path: name } });
assert.match(result.content[0].text, /1\thello/);
assert.equal(foreignStatus({ status: "denied" }, foreignStatuses.a2a), "rejected");
await session.close();
