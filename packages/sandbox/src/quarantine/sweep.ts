import type { Buffer } from "node:buffer";
import { statSync } from "node:fs";
import { forFs, toText, type BytePath } from "../backend/byte-path.ts";
import { kindAt } from "../backend/entry-at.ts";
import type { ProtectedEntry, ProtectedScanner } from "../backend/protected-scan.ts";
import { parentOf } from "../policy/paths.ts";
import type { SandboxPolicy } from "../policy/policy.ts";
import type { AllowedWrite } from "./allowed-writes.ts";
import type { Baseline } from "./baseline.ts";
import { openIfPossible, orOpened, statsBehind } from "./closed-entry.ts";
import { contentHash, stateAt } from "./entry-state.ts";
import { inParent } from "./directory-handle.ts";
import { isUntouched } from "./kept-copies.ts";
import { OpenedDirectories } from "./opened-directories.ts";
import type { QuarantineCall } from "./quarantine-call.ts";
import { restoreKept } from "./restore-kept.ts";

export interface SweepFindings {
  readonly moved: readonly BytePath[];
  readonly restored: readonly BytePath[];
  /** New protected entries that could not be moved, and were renamed beside. */
  readonly aside: readonly BytePath[];
  /** Those that are still where they were. */
  readonly stuck: readonly BytePath[];
}

export interface SweepInput {
  readonly policy: SandboxPolicy;
  readonly baseline: Baseline;
  readonly quarantine: QuarantineCall;
  /** Asked only when something was found. */
  readonly allowances: () => Allowances;
  /** New paths that somebody else's sweep looks after. */
  readonly leaves?: (path: BytePath) => boolean;
}

export interface Allowances {
  readonly writes: readonly AllowedWrite[];
  /** Policies of other commands that live in the workspace: what one of them may write is not touched. */
  readonly policies: readonly SandboxPolicy[];
}

/** Moves new protected names away and puts changed protected files back. Does not wait for anything. */
export function sweep(input: SweepInput, scanner: ProtectedScanner): SweepFindings {
  const { policy, baseline, quarantine } = input;
  const found = { moved: new Array<BytePath>(), restored: new Array<BytePath>(), aside: new Array<BytePath>(), stuck: new Array<BytePath>() };
  let known: Allowances | undefined;
  const allowances = (): Allowances => (known ??= input.allowances());

  const opened = new OpenedDirectories();
  try {
    const { entries } = scanner.scan(policy, (path) => openIfPossible(opened, path));
    for (const path of candidates(entries, baseline, opened)) {
      if (input.leaves?.(path) === true || isAllowed(path, allowances())) continue;
      try {
        // An ordinary user can move nothing out of a directory without write permission, nor such a directory itself.
        if (kindAt(path) === "directory") opened.open(path);
        else opened.open(parentOf(path));
        const take = (): boolean => inParent(path, (parent, name) => quarantine.take(parent, name, path)) ?? false;
        if (orOpened(take, () => opened.openTree(path))) found.moved.push(path);
      } catch {
        found[quarantine.setAside(path) ? "aside" : "stuck"].push(path);
      }
    }
    const files = new Set(entries.filter((entry) => entry.kind === "file").map((entry) => entry.path));
    for (const kept of baseline.kept) {
      if (files.has(kept.path) && isUntouched(kept)) continue;
      const putBack = (): boolean => restoreKept(kept, quarantine, (content) => isAllowedContent(kept.path, content, allowances()));
      try {
        if (orOpened(putBack, () => opened.open(parentOf(kept.path)))) found.restored.push(kept.path);
      } catch {
        found.stuck.push(kept.path);
      }
    }
  } finally {
    opened.restore(found.moved);
  }
  return found;
}

function candidates(entries: readonly ProtectedEntry[], baseline: Baseline, opened: OpenedDirectories): readonly BytePath[] {
  const found = entries.filter((entry) => !entry.open && !entry.holdsGrant && !baseline.known.has(entry.path)).map((entry) => entry.path);
  const appeared = baseline.missing.map((path) => appearedAt(path, opened)).filter((path) => path !== undefined);
  return [...new Set([...found, ...appeared])].toSorted((left, right) => left.split("/").length - right.split("/").length || (left < right ? -1 : 1));
}

/** What makes a path exist that did not: itself, or a link among its parents. */
function appearedAt(path: BytePath, opened: OpenedDirectories): BytePath | undefined {
  const segments = path.split("/").slice(1);
  let at = "";
  for (const segment of segments) {
    at += `/${segment}`;
    const stats = statsBehind(opened, at);
    if (stats === undefined) return undefined;
    if (stats.isSymbolicLink()) return at === path || resolves(path) ? at : undefined;
  }
  return path;
}

function resolves(path: BytePath): boolean {
  try {
    return statSync(forFs(path), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function isAllowed(path: BytePath, allowances: Allowances): boolean {
  if (allowances.policies.some((policy) => policy.check(toText(path), "write", "bash").allowed)) return true;
  const write = allowances.writes.findLast((one) => one.path === path);
  return write !== undefined && write.state === stateIfKnown(path);
}

function stateIfKnown(path: BytePath): string | undefined {
  try {
    return stateAt(path);
  } catch {
    return undefined;
  }
}

function isAllowedContent(path: BytePath, content: Buffer, allowances: Allowances): boolean {
  if (allowances.policies.some((policy) => policy.check(toText(path), "write", "bash").allowed)) return true;
  const write = allowances.writes.findLast((one) => one.path === path);
  return write !== undefined && write.state === contentHash(content);
}
