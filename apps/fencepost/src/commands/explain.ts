import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { explain as explainPath, isUnder, realPathOf, sandboxModes, type Access, type Actor, type Explanation, type SandboxMode, type SandboxPolicy } from "@fencepost/sandbox";
import { exitCodes } from "../cli/exit-code.ts";
import type { Arguments } from "../cli/parse-arguments.ts";
import type { Terminal, View } from "../cli/terminal.ts";
import { UsageError } from "../cli/usage-error.ts";
import { visibleLine } from "../view/visible.ts";
import { sessionPolicy } from "./session-policy.ts";
import { workspaceDirectory } from "./workspace.ts";

interface Row extends Explanation {
  readonly mode: SandboxMode;
  readonly actor: Actor;
  readonly access: Access;
}

const actors: readonly Actor[] = ["file-tool", "bash"];
const accesses: readonly Access[] = ["read", "write"];

/** `fencepost explain`: tier and verdict of one path in each mode, for each actor and access, and the rule that decided. */
export async function explain(given: Arguments, terminal: Terminal): Promise<number> {
  const workspace = workspaceDirectory(given.workspace);
  const path = resolvedPath(given.operands[0] ?? "", workspace);
  const rows = sandboxModes.flatMap((mode) => {
    const policy = sessionPolicy(workspace, mode);
    return actors.flatMap((actor) => accesses.map((access): Row => ({ mode, actor, access, ...explained(policy, path, access, actor) })));
  });
  const text = given.json ? JSON.stringify({ path, tier: rows[0]?.tier, workspace, verdicts: rows }) : render(path, rows, terminal.out);
  terminal.stdout.write(`${text}\n`);
  return exitCodes.succeeded;
}

/** With the reason where commands may not write even the workspace. */
function explained(policy: SandboxPolicy, path: string, access: Access, actor: Actor): Explanation {
  const found = explainPath(policy, path, access, actor);
  const { workspaceRoot, mode, environment } = policy;
  const home = [environment.home, ...environment.credentialHomes].find((candidate) => isUnder(candidate, workspaceRoot));
  const closed = home !== undefined && actor === "bash" && mode === "auto" && !found.verdict.allowed && found.verdict.reason === "outside_writable_roots";
  return closed && isUnder(path, workspaceRoot) ? { ...found, rule: `${found.rule} The workspace holds the home ${home}, so commands only read there; take a directory in it as workspace.` } : found;
}

/** As tools resolve it: `~/`, relative to the workspace, links followed, the rest of what is missing kept. */
function resolvedPath(given: string, workspace: string): string {
  if (given.includes("\0") || given === "") throw new UsageError("the path is empty or contains a NUL character");
  const expanded = given === "~" || given.startsWith("~/") ? join(process.env["HOME"] ?? homedir(), given.slice(1)) : given;
  return realPathOf(resolve(workspace, expanded));
}

function render(path: string, rows: readonly Row[], { style }: View): string {
  const lines = rows.map((row) => {
    const verdict = row.verdict.allowed ? style.green("allowed") : style.red(`denied (${row.verdict.reason})`);
    return `  ${row.mode.padEnd(12)} ${row.actor.padEnd(9)} ${row.access.padEnd(5)} ${verdict}\n    ${style.dim(visibleLine(row.rule))}`;
  });
  return [style.bold(visibleLine(path)), `tier: ${rows[0]?.tier ?? "normal"}`, ...lines].join("\n");
}
