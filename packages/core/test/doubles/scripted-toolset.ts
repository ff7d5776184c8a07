import { failed, succeeded, type ToolFacts, type ToolResult, type ToolRisk } from "@fencepost/contract";
import { createLocalFileSystem, createObservations, defaultToolOptions, type CallContext, type DangerousCommand, type FinalizedToolset, type PreparedCall, type SessionTool } from "@fencepost/tools";
import type { PathGrant, SandboxAvailability, SandboxPolicy } from "@fencepost/sandbox";
import { Type } from "typebox";
import { workspace } from "./policy.ts";

/** One executed call as the double saw it. */
export interface Execution {
  readonly toolId: string;
  readonly input: unknown;
  readonly call: CallContext;
}

export interface ScriptedTool {
  readonly id: string;
  readonly risk?: ToolRisk;
  readonly facts?: (input: Record<string, unknown>) => ToolFacts;
  readonly run?: (input: Record<string, unknown>, call: CallContext) => Promise<ToolResult> | ToolResult;
}

export interface ScriptedToolset extends FinalizedToolset {
  readonly executions: Execution[];
}

export interface ToolsetScript {
  readonly sandbox?: SandboxAvailability;
  /** Called at each prepare: where a granted path leads now. */
  readonly resolve?: (path: string) => string;
}

const byDefault: readonly ScriptedTool[] = [
  { id: "read" },
  { id: "grep" },
  { id: "write", risk: "workspace_mutation", facts: (input) => ({ kind: "writes", targets: [String(input["path"])] }) },
  { id: "bash", risk: "process_execution", facts: (input) => ({ kind: "runs", commands: [String(input["command"])] }) },
];

/**
 * A toolset whose tools do what the test says. It parses, resolves and gathers facts as a real one does; an input with
 * `bad` is invalid, a target below `.git/hooks` is refused by rule, and `rm -rf` is dangerous in `auto`.
 */
export function scriptedToolset(tools: readonly ScriptedTool[] = byDefault, script: ToolsetScript = {}): ScriptedToolset {
  const executions: Execution[] = [];
  const sandbox = script.sandbox ?? { available: true };
  const built = new Map(tools.map((tool) => [tool.id, sessionTool(tool)]));
  const prepare = (toolId: string, rawInput: unknown, policy: SandboxPolicy): Awaited<ReturnType<FinalizedToolset["prepare"]>> => {
    const tool = built.get(toolId);
    if (!tool) return { kind: "refused", result: failed("tool_not_found", `There is no tool ${toolId}.`) };
    const parsed = parse(rawInput);
    if (parsed === undefined) return { kind: "refused", result: failed("invalid_arguments", "invalid tool input: not JSON") };
    const { sandboxPermissions, justification, ...input } = parsed;
    if ("bad" in input) return { kind: "refused", result: failed("invalid_arguments", "invalid tool input: unknown field `bad`") };
    const facts = tool.inspect(input);
    const target = facts.kind === "writes" ? facts.targets[0] : undefined;
    if (target?.includes(".git/hooks")) {
      return { kind: "refused", result: failed("permission_denied", `[sandbox: ${target} is protected and cannot be written in any mode; do not retry]`) };
    }
    const escalation = escalationOf(sandboxPermissions, justification, script.resolve);
    if (escalation === "invalid") return { kind: "refused", result: failed("invalid_arguments", "invalid tool input: sandboxPermissions without justification") };
    const danger = facts.kind === "runs" && sandbox.available && (policy.mode === "auto" || escalation) ? dangerOf(facts.commands[0] ?? "") : undefined;
    return { kind: "prepared", tool, input, facts, ...(escalation && { escalation }), ...(danger && { danger }) };
  };
  const toolset: ScriptedToolset = {
    executions,
    definitions: [...built.values()].map((tool) => ({ id: tool.id, description: tool.description, inputSchema: { type: "object" }, riskHint: tool.risk })),
    session: sessionContext(sandbox),
    has: (toolId) => built.has(toolId),
    tool: (toolId) => built.get(toolId),
    prepare: async (request, policy) => prepare(request.toolId, request.input, policy),
    async execute(prepared, call) {
      executions.push({ toolId: prepared.tool.id, input: prepared.input, call });
      return prepared.tool.execute(toolset.session, call, prepared.input);
    },
    call: async () => failed("execution_failed", "not used"),
  };
  return toolset;
}

function sessionTool({ id, risk = "read_only", facts, run }: ScriptedTool): SessionTool {
  return {
    id,
    description: `The ${id} of the test.`,
    risk,
    capabilities: risk === "read_only" ? ["filesystem.read"] : risk === "workspace_mutation" ? ["filesystem.write"] : ["process.execute"],
    family: "test",
    stability: "stable",
    inputSchema: Type.Object({}),
    examples: [],
    escalates: true,
    inspect: (input) => facts?.(fieldsOf(input)) ?? { kind: "read_only" },
    execute: async (_session, call, input) => (run ? run(fieldsOf(input), call) : succeeded(`${id} done`)),
  };
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value ?? {}));
}

function parse(raw: unknown): Record<string, unknown> | undefined {
  if (typeof raw !== "string") return fieldsOf(raw);
  try {
    return fieldsOf(JSON.parse(raw));
  } catch {
    return undefined;
  }
}

function escalationOf(permissions: unknown, justification: unknown, resolve: ((path: string) => string) | undefined): PreparedCall["escalation"] | "invalid" {
  if (permissions === undefined) return undefined;
  if (typeof justification !== "string") return "invalid";
  const paths: readonly PathGrant[] = JSON.parse(JSON.stringify(permissions)).paths;
  return { grants: paths.map((grant) => ({ ...grant, path: resolve?.(grant.path) ?? grant.path })), justification };
}

function dangerOf(command: string): DangerousCommand | undefined {
  const start = command.indexOf("rm -rf");
  if (start < 0) return undefined;
  return { key: "rm_recursive_or_force", span: { start, end: command.length }, text: command.slice(start) };
}

function unused(): never {
  throw new Error("not used by the double");
}

function sessionContext(sandbox: SandboxAvailability): FinalizedToolset["session"] {
  return {
    sessionId: "test",
    workingDirectory: workspace,
    sandbox,
    escalation: "possible",
    environment: {},
    fileSystem: createLocalFileSystem(),
    processes: { start: unused },
    search: { grep: unused, glob: unused, close: async () => undefined },
    spill: undefined,
    observations: createObservations(),
    writeLocks: { withLock: async (_path, work) => work() },
    options: defaultToolOptions,
  };
}
