/** How many agents of one session may run at once. */
export const maxRunningAgents = 3;

/** The longest message to or from an agent, in tokens. */
export const maxMessageTokens = 4_000;

/** How often one turn of an agent may ask the model. */
export const agentMaxModelCalls = 15;

/** How long `wait_agent` waits, in milliseconds. */
export const waitMs = { least: 10_000, most: 600_000, byDefault: 60_000 } as const;

/** A rough count that needs no tokenizer: four bytes are about one token. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}
