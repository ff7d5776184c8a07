import type { SessionContext } from "../context/session-context.ts";
import { finalizeToolset } from "./finalize-toolset.ts";
import type { FinalizedToolset, SessionTool } from "./finalized-toolset.ts";
import type { ToolsetConfig } from "./presets.ts";
import { registeredTool } from "./registered-tool.ts";

/** Every tool there is. A session's tools are chosen from it once, by `finalize`. */
export interface ToolRegistry {
  /** Throws `ToolsetError` for a blank id or description, a part that is missing, and an id that is taken. */
  register(tool: SessionTool): ToolRegistry;
  readonly ids: readonly string[];
  tool(id: string): SessionTool | undefined;
  /** The chosen tools bound to a session. Throws `ToolsetError` for an unknown id and for one chosen twice. */
  finalize(config: ToolsetConfig, session: SessionContext): FinalizedToolset;
}

/** A toolset that cannot be assembled: the embedder's mistake, found before a session starts. */
export class ToolsetError extends Error {
  override readonly name = "ToolsetError";
}

export function createToolRegistry(tools: readonly SessionTool[] = []): ToolRegistry {
  const known = new Map<string, SessionTool>();
  const registry: ToolRegistry = {
    register(tool) {
      if (isBlank(tool.id)) throw new ToolsetError("a tool needs an id: it was blank");
      if (isBlank(tool.description)) throw new ToolsetError(`tool ${tool.id} needs a description: it was blank`);
      const missing = (["inputSchema", "inspect", "execute"] as const).find((part) => tool[part] === undefined);
      if (missing !== undefined) throw new ToolsetError(`tool ${tool.id} has no ${missing}; make it with defineTool`);
      if (known.has(tool.id)) throw new ToolsetError(`tool ${tool.id} is already registered; register each id once`);
      known.set(tool.id, registeredTool(tool));
      return registry;
    },
    get ids() {
      return [...known.keys()];
    },
    tool: (id) => known.get(id),
    finalize(config, session) {
      if (!Array.isArray(config.tools)) throw new ToolsetError("finalize takes the ids of tools, such as { tools: [\"read\"] } or defaultPreset");
      const chosen = new Map<string, SessionTool>();
      for (const id of config.tools) {
        const tool = known.get(id);
        if (!tool) throw new ToolsetError(`unknown tool ${JSON.stringify(id)}; registered are ${registry.ids.join(", ") || "none"}`);
        if (chosen.has(id)) throw new ToolsetError(`tool ${id} is chosen twice; list each tool once`);
        chosen.set(id, tool);
      }
      return finalizeToolset([...chosen.values()], session);
    },
  };
  for (const tool of tools) registry.register(tool);
  return Object.freeze(registry);
}

function isBlank(text: unknown): boolean {
  return typeof text !== "string" || text.trim() === "";
}
