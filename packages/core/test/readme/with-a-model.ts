import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { openSession } from "@fencepost/core";
import { aiSdkModel } from "@fencepost/core/ai-sdk";
import { openSqliteStore } from "@fencepost/core/sqlite";

const provider = createOpenAICompatible({ name: "local", baseURL: "http://127.0.0.1:8080/v1" });
const session = await openSession({
  workspace: ".",
  model: aiSdkModel(provider.chatModel("qwen")),
  store: await openSqliteStore(),
  agents: {},
});
session.events.subscribe((event) => {
  if (event.type === "text_delta") process.stdout.write(event.text);
});
const { outcome } = await session.prompt("Fix the failing test.");
console.log(outcome.status);
await session.close();
