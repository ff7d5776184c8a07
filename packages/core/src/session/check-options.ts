import { sandboxModes } from "@fencepost/sandbox";
import { approvalPresets } from "../approval/preset.ts";
import type { OpenSessionOptions } from "./session.ts";

/** Every option there is; the type keeps the list whole. */
const known: Readonly<Record<keyof OpenSessionOptions, true>> = {
  workspace: true,
  mode: true,
  sessionId: true,
  approver: true,
  approvals: true,
  interactive: true,
  registry: true,
  tools: true,
  toolOptions: true,
  backend: true,
  search: true,
  stateHome: true,
  additions: true,
  network: true,
  model: true,
  store: true,
  instructions: true,
  maxModelCalls: true,
  modelIdleTimeoutMs: true,
  parallelReadOnly: true,
  agents: true,
  hooks: true,
  trace: true,
  onWarning: true,
  keepSpill: true,
};

/**
 * For hosts without types: an option that is passed over would leave open what it was to close.
 *
 * @throws {TypeError} one line: an option or a word that does not exist
 */
export function checkOptions(options: OpenSessionOptions): void {
  if (typeof options !== "object" || options === null) throw new TypeError('openSession takes an object, such as { workspace: "." }');
  const { workspace, mode, network, approvals, approver } = options;
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined) throw new TypeError(`openSession has no option "${unknown}"; it takes ${Object.keys(known).join(", ")}`);
  if (typeof workspace !== "string" || workspace === "") throw new TypeError(`workspace was ${JSON.stringify(workspace)}; expected the path of a directory`);
  oneOf("mode", mode, sandboxModes);
  oneOf("network", network, ["host", "none"]);
  oneOf("approvals", approvals, approvalPresets);
  if (approver !== undefined && typeof approver.decide !== "function") throw new TypeError('approver has no decide; expected { decide: async (card) => "allow" or "deny" }');
}

function oneOf(name: string, value: unknown, words: readonly string[]): void {
  if (value === undefined || words.some((word) => word === value)) return;
  throw new TypeError(`${name} was ${JSON.stringify(value)}; expected ${words.map((word) => JSON.stringify(word)).join(" or ")}`);
}
