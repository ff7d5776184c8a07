import type { PermissionDecision } from "@fencepost/core";
import { messageOf } from "../cli/message-of.ts";
import { sandboxModes, type SandboxMode } from "@fencepost/sandbox";

/** One line from the host, understood. */
export type Request =
  | { readonly kind: "call"; readonly id: string; readonly toolId: string; readonly input: unknown }
  | { readonly kind: "cancel"; readonly id: string; readonly callId: string }
  | { readonly kind: "undo" | "reapply"; readonly id: string; readonly changeIds: readonly string[] }
  | { readonly kind: "mode"; readonly id: string; readonly mode: SandboxMode }
  | { readonly kind: "tools"; readonly id: string }
  | { readonly kind: "permission"; readonly requestId: string; readonly decision: PermissionDecision }
  /** `id` is null where the line does not even say whom to answer. */
  | { readonly kind: "unreadable"; readonly id: string | null; readonly message: string };

/** The longest id, in characters. */
const maxIdCharacters = 200;

/** What a request asks for: exactly one of these, besides `id`. */
const verbs = ["tool", "cancel", "undo", "reapply", "mode", "tools"] as const;

const expected = 'expected {"id","tool","input"}, {"id","cancel"}, {"id","undo"}, {"id","reapply"}, {"id","mode"}, {"id","tools":true} or {"permission"}';

/** Reads one line. Never throws: what cannot be read is a request too, answered with an error. */
export function parseRequest(text: string): Request {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return unreadable(null, `the line is not valid JSON: ${messageOf(error)}`);
  }
  if (!isRecord(value)) return unreadable(null, `the line is not a JSON object; ${expected}`);
  if ("permission" in value) return parsePermission(value);
  const { id } = value;
  if (typeof id !== "string" || id === "" || id.length > maxIdCharacters) return unreadable(null, `\`id\` must be a string of 1 to ${maxIdCharacters} characters; ${expected}`);
  return parseVerb(id, value);
}

function parseVerb(id: string, value: Record<string, unknown>): Request {
  const [verb, ...others] = verbs.filter((name) => name in value);
  if (verb === undefined || others.length > 0) return unreadable(id, `a request asks for one thing; ${expected}`);
  const unknown = Object.keys(value).find((key) => key !== "id" && key !== verb && !(verb === "tool" && key === "input"));
  if (unknown !== undefined) return unreadable(id, `unknown field \`${unknown}\`; ${expected}`);
  const given = value[verb];
  switch (verb) {
    case "tool":
      return typeof given === "string" ? { kind: "call", id, toolId: given, input: value["input"] ?? {} } : unreadable(id, "`tool` must be a string");
    case "cancel":
      return typeof given === "string" ? { kind: "cancel", id, callId: given } : unreadable(id, "`cancel` must be the id of a call");
    case "mode":
      return isMode(given) ? { kind: "mode", id, mode: given } : unreadable(id, `\`mode\` must be ${sandboxModes.map((mode) => `"${mode}"`).join(" or ")}`);
    case "tools":
      return given === true ? { kind: "tools", id } : unreadable(id, "`tools` must be true");
    default:
      return isChangeIds(given) ? { kind: verb, id, changeIds: given } : unreadable(id, `\`${verb}\` must be a list of change ids or call ids, at least one`);
  }
}

function parsePermission(value: Record<string, unknown>): Request {
  const answer = value["permission"];
  if (Object.keys(value).length === 1 && isRecord(answer) && Object.keys(answer).length === 2) {
    const { requestId, decision } = answer;
    if (typeof requestId === "string" && (decision === "allow" || decision === "deny")) return { kind: "permission", requestId, decision };
  }
  return unreadable(null, 'expected {"permission":{"requestId":…,"decision":"allow"|"deny"}}');
}

function unreadable(id: string | null, message: string): Request {
  return { kind: "unreadable", id, message };
}

function isMode(value: unknown): value is SandboxMode {
  return sandboxModes.some((mode) => mode === value);
}

function isChangeIds(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
