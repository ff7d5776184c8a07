import { invalidInputPrefix } from "@fencepost/contract";
import { copyInput } from "./copy-input.ts";

/** The most that the arguments of one call may hold, in bytes of text: several of the largest files that write takes. */
export const maxInputBytes = 8 * 1024 * 1024;

export type ReadInput = { readonly input: unknown } | { readonly fault: string };

/**
 * The arguments of a call as a value of our own: JSON text is parsed, an object is copied, so that what was validated
 * is what runs. Bounded, plain data only. `fault` is the text for the model.
 */
export function readInput(given: unknown): ReadInput {
  if (typeof given !== "string") return copied(given);
  if (given.length > maxInputBytes) return fault(tooLarge);
  let value: unknown;
  try {
    value = JSON.parse(given);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fault(`the arguments are not valid JSON (${shorten(reason)}); send one JSON object`);
  }
  return copied(value);
}

const tooLarge = `the arguments are larger than ${maxInputBytes} bytes; send less, or split the work into several calls`;

function copied(value: unknown): ReadInput {
  const copy = copyInput(value, maxInputBytes);
  if (copy.ok) return { input: copy.value };
  switch (copy.problem) {
    case "size":
      return fault(tooLarge);
    case "depth":
      return fault("the arguments are nested too deeply; send a flat object with the fields of the tool");
    case "surrogate":
      return fault(`\`${copy.field}\` is not valid Unicode: it holds half of a surrogate pair; send whole characters`);
    default:
      return fault(`\`${copy.field}\` is not JSON; send strings, numbers, true, false, lists and objects only`);
  }
}

function fault(text: string): ReadInput {
  return { fault: invalidInputPrefix + text };
}

const maxReasonCharacters = 160;

/** The parser quotes what it could not read, line breaks and all. */
function shorten(reason: string): string {
  const line = reason.replaceAll(/[\p{Cc}\p{Cf}]/gu, " ");
  return line.length > maxReasonCharacters ? `${Array.from(line).slice(0, maxReasonCharacters).join("")}…` : line;
}
