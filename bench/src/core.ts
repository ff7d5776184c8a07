import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createValidator, modelSchema } from "@fencepost/contract";
import { openSession, scriptedModel, type AgentSession, type ScriptedStep } from "@fencepost/core";
import { openSqliteStore } from "@fencepost/core/sqlite";
import { platformBackend, resolveEnvironment, SandboxPolicy } from "@fencepost/sandbox";
import { builtinRegistry, localSession } from "@fencepost/tools";
import { median } from "./harness/index.ts";

const rounds = 400;

const tools = ["read"];

/** What a session costs over its tools: one call through the whole pipeline, and a long session of turns. */
export async function run(args: readonly string[] = []): Promise<void> {
  const directory = realpathSync(mkdtempSync(join(homedir(), ".fencepost-bench-")));
  const workspace = join(directory, "w");
  try {
    mkdirSync(workspace);
    writeFileSync(join(workspace, "a.txt"), "hello\n");
    validation();
    await pipeline(directory, workspace);
    await storeWrites(directory, workspace);
    await longSession(directory, workspace, Number(args[0] ?? 2_000));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const validations = 20_000;

/** One validation of a valid input, a tool: compiled once, as a session does. */
function validation(): void {
  const registry = builtinRegistry();
  const times = registry.ids.flatMap((id) => {
    const tool = registry.tool(id);
    const example = tool?.examples[0];
    if (!tool || example === undefined) return [];
    const validate = createValidator(modelSchema(tool.inputSchema));
    for (let round = 0; round < validations; round += 1) validate(example);
    const startedAt = performance.now();
    for (let round = 0; round < validations; round += 1) validate(example);
    return [{ id, us: ((performance.now() - startedAt) * 1000) / validations }];
  });
  const slowest = times.toSorted((left, right) => right.us - left.us)[0];
  console.log(`validation             median ${median(times.map(({ us }) => us)).toFixed(2)} µs of ${times.length} tools   slowest ${slowest?.us.toFixed(2)} µs (${slowest?.id})   target 2 µs`);
}

/** What a turn of one call costs the store: its methods that write, each one transaction. */
async function storeWrites(directory: string, workspace: string): Promise<void> {
  const store = await openSqliteStore(join(directory, "writes.db"));
  const counts = new Map<string, number>();
  const counting = new Proxy(store, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value !== "function") return value;
      return (...given: unknown[]): unknown => {
        counts.set(String(name), (counts.get(String(name)) ?? 0) + 1);
        return Reflect.apply(value, target, given);
      };
    },
  });
  const session = await openSession({ workspace, stateHome: join(directory, "state"), tools, store: counting, model: scriptedModel(script()) });
  counts.clear();
  await session.prompt("one call");
  const writes = [...counts].map(([name, times]) => `${name} ${times}`).join(", ");
  console.log(`store, a turn          ${writes}`);
  await session.close();
  await store.close();
}

/** Interleaved, so that what else the machine does meets all three alike. */
async function pipeline(directory: string, workspace: string): Promise<void> {
  const stateHome = join(directory, "state");
  const direct = await directRead(workspace, stateHome);
  const plain = await openSession({ workspace, stateHome, tools });
  const store = await openSqliteStore(join(directory, "calls.db"));
  const stored = await openSession({ workspace, stateHome, tools, store });
  const contenders: readonly [string, () => Promise<unknown>][] = [
    ["the tool itself", direct],
    ["session.call", reader(plain)],
    ["session.call, SQLite", reader(stored)],
  ];
  const times = contenders.map((): number[] => []);
  for (let round = -20; round < rounds; round += 1) {
    for (const [index, [, work]] of contenders.entries()) {
      const ms = await timed(work);
      if (round >= 0) times[index]?.push(ms);
    }
  }
  const medians = times.map((each) => median(each));
  for (const [index, [name]] of contenders.entries()) {
    const over = (medians[index] ?? 0) - (medians[0] ?? 0);
    console.log(`${name.padEnd(22)} ${(medians[index] ?? 0).toFixed(3)} ms   overhead ${over.toFixed(3)} ms${index === 0 ? "" : `   target ${index === 1 ? "0.3" : "1.5"} ms`}`);
  }
  await plain.close();
  await stored.close();
  await store.close();
}

function reader(session: AgentSession): () => Promise<unknown> {
  let calls = 0;
  return () => session.call({ callId: String((calls += 1)), toolId: "read", input: { path: "a.txt" } });
}

async function directRead(workspace: string, stateHome: string): Promise<() => Promise<unknown>> {
  const environment = resolveEnvironment({ workspaceRoot: workspace, stateHome });
  const session = await localSession({ sessionId: "direct", workspaceRoot: workspace, environment, backend: platformBackend() });
  const policy = new SandboxPolicy({ mode: "auto", workspaceRoot: workspace, grants: [], environment, network: "host" });
  const tool = builtinRegistry().finalize({ tools }, session).tool("read");
  const context = { callId: "1", signal: new AbortController().signal, progress: () => undefined, policy };
  return async () => tool?.execute(session, context, { path: "a.txt" });
}

async function longSession(directory: string, workspace: string, turns: number): Promise<void> {
  const store = await openSqliteStore(join(directory, "turns.db"));
  const session = await openSession({ workspace, stateHome: join(directory, "state"), tools, store, model: scriptedModel(script()) });
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    times.push(await timed(() => session.prompt(`turn ${turn}`)));
    if ((turn + 1) % (turns / 4) === 0) {
      globalThis.gc?.();
      const heapMb = process.memoryUsage().heapUsed / 1024 / 1024;
      console.log(`turn ${String(turn + 1).padStart(5)}   median of the last ${turns / 8}: ${median(times.slice(-turns / 8)).toFixed(3)} ms   heap ${heapMb.toFixed(1)} MB`);
    }
  }
  await session.close();
  await store.close();
}

function* script(): Generator<ScriptedStep> {
  for (;;) {
    yield { text: "Looking.", calls: [{ toolId: "read", input: { path: "a.txt" } }] };
    yield { text: "Done." };
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
