import { aiSdkTools, protocolApprover } from "@fencepost/adapters/ai-sdk";
import { openSession } from "@fencepost/core";
import { generateText, stepCountIs, type LanguageModel, type ModelMessage } from "ai";

export async function answer(model: LanguageModel, messages: ModelMessage[]): Promise<string> {
  const session = await openSession({ workspace: ".", approver: protocolApprover });
  const result = await generateText({ model, tools: aiSdkTools(session), messages, stopWhen: stepCountIs(20) });
  await session.close();
  return result.text;
}
