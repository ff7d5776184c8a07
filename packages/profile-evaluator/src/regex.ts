import { rejected, unsupported } from "./profile-error.ts";

/**
 * The part of the profile language's regexes that every account of them agrees on: literals, bracket expressions
 * without escapes, groups, `|`, `*`, `+`, `?`, `.`, `^` and `$`, and a backslash before punctuation.
 */
export function compileRegex(source: string): (ignoreCase: boolean) => RegExp {
  if (source.includes("(?")) throw rejected(`regex groups of the form (?…) do not exist: ${source}`);
  refuseUnsupported(source);
  const plain = new RegExp(source);
  const folded = new RegExp(source, "i");
  return (ignoreCase) => (ignoreCase ? folded : plain);
}

function refuseUnsupported(source: string): void {
  const withoutClasses = source.replace(/\[\^?\]?[^\]]*\]/g, (found) => {
    if (/\\|\[:|&&/.test(found.slice(1))) throw unsupported(`a bracket expression that accounts differ on: ${found}`);
    return "c";
  });
  const withoutEscapes = withoutClasses.replace(/\\([^A-Za-z0-9])/g, "c");
  if (withoutEscapes.includes("\\")) throw unsupported(`an escape that accounts differ on: ${source}`);
  if (/[{}]/.test(withoutEscapes)) throw unsupported(`counted repetition: ${source}`);
  if (/[*+?][*+?]/.test(withoutEscapes)) throw unsupported(`a repetition of a repetition: ${source}`);
  try {
    // oxlint-disable-next-line no-new -- only whether it compiles
    new RegExp(source);
  } catch {
    throw rejected(`not a regex: ${source}`);
  }
}
