import { Buffer } from "node:buffer";
import { displayLimits, type Display } from "@fencepost/contract";
import { characterBoundary } from "../spill/character-boundary.ts";

/** A display within `displayLimits`; fields are cut like titles and bodies, so that 32 of them stay small too. */
export function fitDisplay(display: Display): Display {
  const { kind, title, body, fields } = display;
  return {
    kind,
    title: firstCharacters(title, displayLimits.titleCharacters),
    ...(body !== undefined && { body: firstBytes(body, displayLimits.bodyBytes) }),
    ...(fields && { fields: fields.slice(0, displayLimits.fields).map(({ label, value }) => ({ label: firstCharacters(label, displayLimits.titleCharacters), value: firstBytes(value, maxFieldBytes) })) }),
  };
}

/** The most that one field's value shows, in bytes of UTF-8. */
const maxFieldBytes = 1024;

function firstCharacters(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const characters = Array.from(text.slice(0, 2 * limit + 2));
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join("")}…`;
}

const ellipsis = "…";

function firstBytes(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text;
  const bytes = Buffer.from(text.slice(0, limit));
  return bytes.subarray(0, characterBoundary(bytes, limit - Buffer.byteLength(ellipsis))).toString("utf8") + ellipsis;
}
