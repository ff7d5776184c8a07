import { readFileSync } from "node:fs";
import { parseScript, scriptedModel, type ModelPort } from "@fencepost/core";
import { messageOf } from "../cli/message-of.ts";
import { UsageError } from "../cli/usage-error.ts";
import { offlineSteps } from "./offline-script.ts";

export interface ChosenModel {
  readonly port: ModelPort;
  /** As it was named. */
  readonly name: string;
  /** Nothing is configured: the scripted demo answers, and the person is told. */
  readonly offline: boolean;
  /** Where requests go, and which variable says so; undefined for a script. */
  readonly address?: ModelAddress;
}

interface ModelAddress {
  readonly url: string;
  readonly variable: string;
  /** The variable is set: otherwise the provider's own address is used. */
  readonly chosen: boolean;
}

interface Endpoint {
  /** Where it is, unless the variable says otherwise. */
  readonly url: string;
  readonly urlVariable: string;
  readonly keyVariable: string;
  readonly needsKey: boolean;
}

/** Everything that speaks the OpenAI-compatible protocol, which Anthropic and local servers do, too. */
const endpoints: Readonly<Record<string, Endpoint>> = {
  openai: { url: "https://api.openai.com/v1", urlVariable: "OPENAI_BASE_URL", keyVariable: "OPENAI_API_KEY", needsKey: true },
  anthropic: { url: "https://api.anthropic.com/v1", urlVariable: "ANTHROPIC_BASE_URL", keyVariable: "ANTHROPIC_API_KEY", needsKey: true },
  local: { url: "http://127.0.0.1:11434/v1", urlVariable: "FENCEPOST_MODEL_URL", keyVariable: "FENCEPOST_MODEL_KEY", needsKey: false },
};

/** The variable that names the model where `--model` does not. */
const modelVariable = "FENCEPOST_MODEL";

/** The model that `--model`, else the environment, names; else the offline one. */
export async function chooseModel(given: string | undefined, env: NodeJS.ProcessEnv): Promise<ChosenModel> {
  const name = given ?? env[modelVariable];
  if (name === undefined || name === "") return { port: scriptedModel(offlineSteps(), "offline-demo"), name: "offline script", offline: true };
  const [provider = "", ...rest] = name.split("/");
  const modelId = rest.join("/");
  if (modelId === "") throw new UsageError(`the model was "${name}"; expected <provider>/<model>, such as local/qwen3 or openai/gpt-5`);
  if (provider === "script") return { port: scriptedModel(readScript(modelId), name), name, offline: false };
  const endpoint = endpoints[provider];
  if (endpoint === undefined) throw new UsageError(`unknown provider "${provider}"; expected ${Object.keys(endpoints).join(", ")} or script`);
  const address = addressOf(endpoint, env);
  return { port: await remoteModel(provider, modelId, endpoint, address.url, env), name, offline: false, address };
}

/** For people whose model did not answer. */
export function addressText({ url, variable, chosen }: ModelAddress): string {
  return `the model's address is ${url}${chosen ? `, from ${variable}` : `; ${variable} names another`}`;
}

function addressOf({ url: own, urlVariable: variable }: Endpoint, env: NodeJS.ProcessEnv): ModelAddress {
  const given = env[variable] ?? "";
  if (given === "") return { url: own, variable, chosen: false };
  if (!/^https?:$/.test(protocolOf(given))) throw new UsageError(`${variable} is "${given}"; expected an address such as ${own}`);
  return { url: given, variable, chosen: true };
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : "";
}

async function remoteModel(provider: string, modelId: string, endpoint: Endpoint, baseURL: string, env: NodeJS.ProcessEnv): Promise<ModelPort> {
  const apiKey = env[endpoint.keyVariable];
  if (endpoint.needsKey && !apiKey) throw new UsageError(`${provider} needs a key in ${endpoint.keyVariable}`);
  const [{ createOpenAICompatible }, { aiSdkModel }] = await Promise.all([import("@ai-sdk/openai-compatible"), import("@fencepost/core/ai-sdk")]);
  return aiSdkModel(createOpenAICompatible({ name: provider, baseURL, includeUsage: true, ...(apiKey && { apiKey }) }).chatModel(modelId));
}

function readScript(path: string): ReturnType<typeof parseScript> {
  try {
    return parseScript(readFileSync(path, "utf8"));
  } catch (error) {
    throw new UsageError(`the script ${path} cannot be used: ${messageOf(error)}`, { cause: error });
  }
}
