import { aiSdkTools, protocolApprover } from "@fencepost/adapters/ai-sdk";
import { anthropicTools } from "@fencepost/adapters/anthropic";
import { listenMcpHttp, type HttpServing } from "@fencepost/adapters/mcp";
import { openAiTools } from "@fencepost/adapters/openai";
import { openSession } from "@fencepost/core";
import type { Anthropic } from "@anthropic-ai/sdk";
import type { ToolSet } from "ai";
import type { OpenAI } from "openai";

const session = await openSession({ workspace: ".", approver: protocolApprover });
export const forAiSdk: ToolSet = aiSdkTools(session);
export const forOpenAi: OpenAI.Responses.Tool[] = openAiTools(session).responses;
export const forAnthropic: Anthropic.Messages.ToolUnion[] = anthropicTools(session).tools;
export const served: Promise<HttpServing> = listenMcpHttp(session);
