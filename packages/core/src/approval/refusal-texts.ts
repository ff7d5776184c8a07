import type { PreparedCall } from "@fencepost/tools";
import type { PermissionRequest } from "./approver.ts";

type Kinds = PermissionRequest["kinds"];

export const deniedByUserText = "The user denied this call, so nothing was done. Do not retry it; ask the user how to go on.";

export const deniedByPresetText = "This session refuses every tool call (approvals: deny-all), so nothing was done. Answer without tools.";

export const ownerGoneText = "The session ended while the user was being asked, so nothing was done. Ask again in a new session if it is still wanted.";

export const cancelledWhileAskedText = "The call was cancelled while the user was being asked, so nothing was done.";

export const cancelledBeforeStartText = "The call was cancelled before it started, so nothing was done.";

export function approverFailedText(reason: string): string {
  return `The user could not be asked (${reason}), so nothing was done. Go on without this call, or tell the user what is needed.`;
}

/** Nobody can be asked here: why the call needs a yes, and what to do instead. */
export function nobodyToAskText(kinds: Kinds, prepared: PreparedCall): string {
  return `${nobodyReason(kinds, prepared)} Nothing was done. ${nobodyWayOn(kinds)}`;
}

function nobodyReason(kinds: Kinds, prepared: PreparedCall): string {
  if (kinds.includes("escalation")) return "sandboxPermissions need a user's approval, and this session has nobody to ask.";
  if (prepared.danger) {
    return `\`${prepared.danger.text}\` deletes (${prepared.danger.key}) and needs a user's approval, and this session has nobody to ask.`;
  }
  return `${prepared.tool.id} needs a user's approval here, and this session has nobody to ask.`;
}

function nobodyWayOn(kinds: Kinds): string {
  if (kinds.includes("escalation")) {
    return "Go on within the workspace and the temp directories, or report the paths that are needed so that someone else can do it.";
  }
  if (kinds.includes("dangerous")) return "Remove single files with plain rm, leave the rest, or report what should be deleted.";
  return "Go on without this call, or report what should be done.";
}
