import { failed, type ToolResult } from "@fencepost/contract";
import { Type } from "typebox";
import type { CallContext } from "../context/call-context.ts";
import type { SessionContext } from "../context/session-context.ts";
import { carryOut } from "../files/carry-out.ts";
import type { StepOutcome } from "../files/file-step.ts";
import { loadState } from "../files/load-state.ts";
import { lockFiles } from "../files/lock-files.ts";
import { requireItself } from "../files/require-itself.ts";
import { requireObserved } from "../files/require-observed.ts";
import { requireEditable } from "../files/text-target.ts";
import { parsePatch } from "../patch/parse-patch.ts";
import { PatchError } from "../patch/patch-error.ts";
import type { PatchSection } from "../patch/patch-types.ts";
import { patchChanges, planPatch, type PatchedPath, type PatchPlan } from "../patch/plan-patch.ts";
import type { CheckedPath } from "../paths/checked-path.ts";
import type { PathRefusal } from "../paths/path-refusal.ts";
import { resolvePath } from "../paths/resolve-path.ts";
import { defineTool } from "../toolset/define-tool.ts";
import { changeResult, splitText } from "./change-result.ts";
import { fileCall, isRefusal } from "../files/file-call.ts";
import { textFault } from "./written-text.ts";
import { ChangesData } from "./result-data.ts";

/** Notes shown below the list of files. */
const maxDiagnostics = 8;

const Input = Type.Object({ patch: Type.String({ minLength: 1, description: "A unified diff, at most 1 MiB" }) }, { additionalProperties: false });

const description = [
  "Apply a unified diff to files below the working directory: change, add (old path /dev/null), delete (new path /dev/null) and rename (git's rename lines).",
  "All of it is applied or none. Line numbers are hints; each hunk needs enough unchanged lines to fit one place only.",
  "Existing files must have been read first.",
].join(" ");

export const applyPatchTool = defineTool({
  id: "apply_patch",
  description,
  risk: "workspace_mutation",
  capabilities: ["filesystem.read", "filesystem.write"],
  family: "files",
  escalates: true,
  inputSchema: Input,
  resultSchema: ChangesData,
  examples: [{ patch: "--- a/src/limit.ts\n+++ b/src/limit.ts\n@@ -1,2 +1,2 @@\n-export const limit = 10;\n+export const limit = 20;\n export const unit = \"lines\";\n" }],
  inspect: ({ patch }) => ({ kind: "writes", targets: targetsOf(patch) }),
  execute: (session, call, { patch }) => fileCall(async () => textFault("patch", patch) ?? patchCall(() => applyPatch(session, call, patch))),
});

/** A patch that cannot be read names no target: it is refused when it is run. */
function targetsOf(patch: string): readonly string[] {
  try {
    return [...new Set(parsePatch(patch).flatMap(({ from, to }) => [from, to]))];
  } catch (error) {
    if (error instanceof PatchError) return [];
    throw error;
  }
}

async function patchCall(work: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PatchError) return failed("execution_failed", error.message, { details: { kind: error.kind } });
    throw error;
  }
}

async function applyPatch(session: SessionContext, call: CallContext, patch: string): Promise<ToolResult> {
  const sections = parsePatch(patch);
  const paths = await resolvePaths(session, call, sections);
  if (isRefusal(paths)) return paths.refused;
  for (const { kind, from } of sections) {
    const path = kind === "delete" || kind === "rename" ? paths.get(from) : undefined;
    if (path) await requireItself(session.fileSystem, path);
  }
  return lockFiles(session, [...paths.values()], () => applyLocked(session, call, sections, paths), call.signal);
}

async function resolvePaths(session: SessionContext, call: CallContext, sections: readonly PatchSection[]): Promise<ReadonlyMap<string, CheckedPath> | PathRefusal> {
  const paths = new Map<string, CheckedPath>();
  for (const given of new Set(sections.flatMap(({ from, to }) => [from, to]))) {
    const path = await resolvePath(given, "write", "mayCreate", session, call.policy);
    if (isRefusal(path)) return path;
    paths.set(given, path);
  }
  return paths;
}

async function applyLocked(session: SessionContext, call: CallContext, sections: readonly PatchSection[], paths: ReadonlyMap<string, CheckedPath>): Promise<ToolResult> {
  const byReal = new Map<string, PatchedPath>();
  const byName = new Map<string, PatchedPath>();
  for (const [given, path] of paths) {
    const known = byReal.get(path.real) ?? (await loadPath(session, given, path, call.signal));
    byReal.set(path.real, known);
    byName.set(given, known);
  }
  const plan = await planPatch(sections, (given) => pathOf(byName, given), call.signal);
  for (const { path, initial } of plan.changed) if (initial !== null) requireObserved(session.observations, path, initial.hash);
  for (const { path, initial, final } of plan.changed) if (initial !== null && final === null && !plan.changed.some((other) => other.renamedFrom?.path === path)) requireEditable(initial.bytes, path.shown);
  const outcomes = await carryOut(session, plan.steps, call.signal);
  remember(session, plan);
  const changes = patchChanges(plan.changed, call.callId, (path) => outcomeOf(plan, outcomes, path));
  return changeResult(session, present(sections, plan, { paths, outcomes }), changes);
}

async function loadPath(session: SessionContext, given: string, path: CheckedPath, signal: AbortSignal): Promise<PatchedPath> {
  const initial = await loadState(session.fileSystem, path, signal);
  return { given, path, initial, final: initial, madeDirectories: [] };
}

function pathOf(paths: ReadonlyMap<string, PatchedPath>, given: string): PatchedPath {
  const path = paths.get(given);
  if (path === undefined) throw new Error("every path of a patch is resolved before it is planned");
  return path;
}

function remember({ observations }: SessionContext, plan: PatchPlan): void {
  for (const { path, final } of plan.changed) {
    if (final === null) observations.forget(path.real);
    else observations.record(path.real, final.hash);
  }
}

function outcomeOf(plan: PatchPlan, outcomes: readonly StepOutcome[], path: CheckedPath): StepOutcome | undefined {
  const index = plan.steps.findIndex((step) => (step.kind === "move" ? step.to : step.path) === path);
  return outcomes[index];
}

const letters: Readonly<Record<PatchSection["kind"], string>> = { add: "A", modify: "M", delete: "D", rename: "R" };

interface Applied {
  readonly paths: ReadonlyMap<string, CheckedPath>;
  /** One a step of the plan. */
  readonly outcomes: readonly StepOutcome[];
}

function present(sections: readonly PatchSection[], plan: PatchPlan, { paths, outcomes }: Applied): string {
  const shown = (given: string): string => paths.get(given)?.shown ?? given;
  const lines = new Set(sections.map(({ kind, from, to }) => `${letters[kind]} ${kind === "rename" ? `${shown(from)} -> ` : ""}${shown(to)}`));
  const splits = plan.steps.flatMap(({ path }, index) => {
    const otherNames = outcomes[index]?.otherNames ?? 0;
    return otherNames > 0 ? [`${path.shown}: ${splitText(otherNames)}`] : [];
  });
  const diagnostics = [...splits, ...plan.diagnostics];
  const notes = diagnostics.slice(0, maxDiagnostics).map((note) => `[${note}]`);
  const more = diagnostics.length - notes.length;
  return [...lines, ...notes, ...(more > 0 ? [`[${more} more notes]`] : [])].join("\n");
}

