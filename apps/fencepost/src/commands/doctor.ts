import { doctor as examine, platformBackend, resolveEnvironment, type DoctorFinding } from "@fencepost/sandbox";
import { exitCodes } from "../cli/exit-code.ts";
import type { Arguments } from "../cli/parse-arguments.ts";
import type { Terminal, View } from "../cli/terminal.ts";
import { visibleLine } from "../view/visible.ts";
import { workspaceDirectory } from "./workspace.ts";

/** `fencepost doctor`: where things are, what the self-check of the sandbox found, what is in the way, and the remedies. */
export async function doctor(given: Arguments, { stdout, out }: Terminal): Promise<number> {
  const workspace = workspaceDirectory(given.workspace);
  const environment = resolveEnvironment({ workspaceRoot: workspace });
  const backend = platformBackend();
  const sandbox = await backend.probe();
  const { stateHome, tempRoots, gitDirs } = environment;
  const findings = await examine(backend, { workspaceRoot: workspace, stateHome, tempRoots });
  await backend.close();
  const facts = {
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    user: process.getuid?.() === 0 ? "root" : "not root",
    workspace,
    home: environment.home,
    stateHome,
    tempRoots,
    gitDirs,
    backend: backend.id,
  };
  const rows = [
    ["node", facts.node],
    ["platform", `${facts.platform}, ${facts.user}`],
    ["workspace", workspace],
    ["home", facts.home],
    ["state", stateHome],
    ["temp roots", tempRoots.join(", ") || "no directory but the workspace"],
    ["git dirs", gitDirs.join(", ") || "none besides .git directories in the workspace"],
    ["backend", backend.id],
  ] as const;
  const text = [...rows.map(([name, value]) => `${name.padEnd(10)} ${visibleLine(value)}`), "", ...findings.flatMap((finding) => lines(finding, out))];
  if (!sandbox.available) text.push("Until that is mended bash refuses every command; file tools work.");
  stdout.write(given.json ? `${JSON.stringify({ ...facts, sandbox, findings })}\n` : `${text.join("\n")}\n`);
  if (!sandbox.available) return exitCodes.sandboxUnavailable;
  return findings.some(({ state }) => state === "bad") ? exitCodes.failed : exitCodes.succeeded;
}

function lines({ subject, state, found, remedy }: DoctorFinding, { style }: View): readonly string[] {
  const colour = { good: style.green, note: style.yellow, bad: style.red }[state];
  return [`${colour(state.padEnd(4))}  ${visibleLine(subject)}: ${visibleLine(found)}`, ...(remedy === undefined ? [] : [`      ${visibleLine(remedy)}`])];
}
