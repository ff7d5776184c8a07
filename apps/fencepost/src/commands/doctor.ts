import { platformBackend, resolveEnvironment, type SandboxAvailability } from "@fencepost/sandbox";
import { exitCodes } from "../cli/exit-code.ts";
import type { Arguments } from "../cli/parse-arguments.ts";
import type { Terminal } from "../cli/terminal.ts";
import { visibleLine } from "../view/visible.ts";
import { workspaceDirectory } from "./workspace.ts";

/** `fencepost doctor`: what the self-check of the sandbox found, and how to fix it. */
export async function doctor(given: Arguments, { stdout, out }: Terminal): Promise<number> {
  const workspace = workspaceDirectory(given.workspace);
  const environment = resolveEnvironment({ workspaceRoot: workspace });
  const backend = platformBackend();
  const sandbox = await backend.probe();
  await backend.close();
  const facts = {
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    user: process.getuid?.() === 0 ? "root" : "not root",
    workspace,
    home: environment.home,
    stateHome: environment.stateHome,
    tempRoots: environment.tempRoots,
    gitDirs: environment.gitDirs,
    backend: backend.id,
  };
  const { style } = out;
  const rows = Object.entries(facts).map(([name, value]) => `${name.padEnd(10)} ${visibleLine(Array.isArray(value) ? value.join(", ") || "none" : String(value))}`);
  const verdict = sandbox.available ? [style.green("sandbox    available: the kernel refused what it must refuse")] : unavailableLines(sandbox).map((line) => style.yellow(line));
  stdout.write(given.json ? `${JSON.stringify({ ...facts, sandbox })}\n` : `${[...rows, ...verdict].join("\n")}\n`);
  return sandbox.available ? exitCodes.succeeded : exitCodes.sandboxUnavailable;
}

function unavailableLines({ reason, remedy }: Extract<SandboxAvailability, { available: false }>): readonly string[] {
  return [`sandbox    unavailable: ${visibleLine(reason)}`, `remedy     ${visibleLine(remedy)}`, "until then bash refuses every command; file tools work"];
}
