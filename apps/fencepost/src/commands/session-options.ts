import type { ApprovalPreset, Approver, OpenSessionOptions } from "@fencepost/core";
import type { Arguments } from "../cli/parse-arguments.ts";
import type { Terminal } from "../cli/terminal.ts";
import { UsageError } from "../cli/usage-error.ts";
import { visibleLine } from "../view/visible.ts";
import { chosenTools } from "./chosen-tools.ts";
import { workspaceDirectory } from "./workspace.ts";

interface Cards {
  /** Undefined where nobody can be asked. */
  readonly approver: Approver | undefined;
  /** Why nobody can be asked, for `--approve ask` and the presets that ask. */
  readonly whyNot: string;
  /** Told once when the first card is answered with no, though nobody said that cards should be. */
  readonly warn?: (text: string) => void;
}

/**
 * What the common options say of a session. `deny` is a standing answer, not the absence of one: the model reads the
 * texts of a session that can be asked, and a retry with permissions is answered with no.
 */
export function sessionOptions(given: Arguments, cards: Cards): OpenSessionOptions {
  const workspace = workspaceDirectory(given.workspace);
  const base = { workspace, toolOptions: guards, tools: chosenTools(given.tools), ...(given.mode && { mode: given.mode }) };
  const wanted = given.approve ?? (cards.approver === undefined ? "deny" : "ask");
  switch (wanted) {
    case "deny":
      return { ...base, approvals: "ask-on-escalation", approver: given.approve === undefined ? unasked(cards) : { decide: async () => "deny" } };
    case "deny-all":
      return { ...base, approvals: "deny-all" };
    case "allow":
    case "allow-all":
      return { ...base, approvals: "allow-all", approver: { decide: async () => "allow" } };
    default:
      if (cards.approver === undefined) throw new UsageError(`--approve ${wanted} cannot ask: ${cards.whyNot}`);
      return { ...base, approvals: preset(wanted), approver: cards.approver };
  }
}

/** Says no, and to the person why nobody was asked. */
function unasked({ whyNot, warn }: Cards): Approver {
  let told = false;
  return {
    async decide() {
      if (!told) warn?.(`a call needed a person's word and was denied, because ${whyNot}; --approve says who answers`);
      told = true;
      return "deny";
    },
  };
}

/** An accident guard: the library leaves it to its host, and this is the host. */
const guards = { commands: { blockList: true } };

function preset(wanted: "ask" | ApprovalPreset): ApprovalPreset {
  return wanted === "ask" ? "ask-on-escalation" : wanted;
}

/** Where a session's warnings go: a line each on standard error. */
export function warnOn(terminal: Terminal): (text: string) => void {
  return (text) => void terminal.stderr.write(`fencepost: ${visibleLine(text)}\n`);
}
