import type { PermissionRequest } from "@fencepost/core";
import { indented } from "./visible.ts";

/** A longer question cannot be read, and what is not read is not approved. In characters. */
const maxQuestionCharacters = 20_000;

const reasons = {
  escalation: "It wants paths beyond the policy, for this one call.",
  dangerous: "It runs a command that deletes or forces.",
  call: "This session asks before such calls.",
} as const;

/**
 * A permission card as the text of a question: everything the decision depends on. Texts of the model stand indented,
 * their control characters escaped, so that nothing in them can look like the question itself.
 *
 * @returns undefined where it would be too long for a person to read
 */
export function cardText(card: PermissionRequest): string | undefined {
  const parts = [
    `Allow this ${card.toolId} call once? (mode ${card.mode})`,
    ...card.kinds.map((kind) => reasons[kind]),
    ...(card.command === undefined ? [] : ["Command:", indented(card.command)]),
    ...(card.danger === undefined ? [] : [`Deletes or forces (${card.danger.key}):`, indented(card.danger.text)]),
    ...(card.targets === undefined || card.targets.length === 0 ? [] : ["Writes:", ...card.targets.map((target) => indented(oneLine(target)))]),
    ...(card.paths.length === 0 ? [] : ["Asks for:", ...card.paths.map(({ path, access, scope, tier }) => indented(`${access} ${scope} (${tier}) ${oneLine(path)}`))]),
    ...(card.justification === undefined ? [] : ["Reason given by the model:", indented(card.justification)]),
    ...(card.earlierRefusal === undefined ? [] : ["Refused before:", indented(card.earlierRefusal)]),
    card.covers,
  ];
  const text = parts.join("\n");
  return text.length > maxQuestionCharacters ? undefined : text;
}

/** A path is one line, whatever it is called. */
function oneLine(path: string): string {
  return path.replaceAll("\n", String.raw`\n`);
}
