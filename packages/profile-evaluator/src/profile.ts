import { parseFilter, type Parameters, type PathFilter } from "./filter.ts";
import { requireOperation } from "./operations.ts";
import { rejected, unsupported } from "./profile-error.ts";
import { parseExpressions, type Expression, type List } from "./s-expression.ts";

export interface ProfileRule {
  readonly action: "allow" | "deny";
  readonly operation: string;
  /** Any of them matches; none at all: the rule is unfiltered and always matches. */
  readonly filters: readonly PathFilter[];
}

export interface Profile {
  /** In the order of the text. */
  readonly rules: readonly ProfileRule[];
  /** The rules of each operation in that order. */
  readonly byOperation: ReadonlyMap<string, readonly ProfileRule[]>;
}

/**
 * Reads a profile with its `-D` parameters.
 *
 * @throws ProfileError for what the real thing would not load, and for what is not judged here
 */
export function parseProfile(text: string, parameters: Parameters = {}): Profile {
  const [version, ...rest] = parseExpressions(text).map(requireList);
  if (version === undefined || head(version) !== "version") throw rejected("a profile begins with (version 1)");
  const number = version.items[1];
  if (number?.type !== "atom" || number.name !== "1" || version.items.length !== 2) throw rejected("only version 1 exists");
  const rules = rest.flatMap((list) => parseRule(list, parameters));
  const byOperation = new Map<string, ProfileRule[]>();
  for (const rule of rules) byOperation.set(rule.operation, [...(byOperation.get(rule.operation) ?? []), rule]);
  return { rules, byOperation };
}

function parseRule(list: List, parameters: Parameters): readonly ProfileRule[] {
  const action = head(list);
  if (action === "debug") return [];
  if (action !== "allow" && action !== "deny") throw unsupported(`only allow and deny rules are judged here, not ${action ?? "a list"}`);
  const operands = list.items.slice(1);
  const operations = operands.filter((operand) => operand.type === "atom").map((operand) => requireOperation(operand.name));
  if (operations.length === 0) throw rejected(`${action} names no operation`);
  const filters = operands.filter((operand) => operand.type !== "atom" && !isSilentModifier(operand)).map((operand) => parseFilter(operand, parameters));
  return operations.map((operation) => ({ action, operation, filters }));
}

/** `(with no-log)` and `(with no-report)` change what is logged, not what is allowed. */
function isSilentModifier(operand: Expression): boolean {
  if (operand.type !== "list" || head(operand) !== "with") return false;
  const modifiers = operand.items.slice(1);
  const silent = modifiers.every((item) => item.type === "atom" && (item.name === "no-log" || item.name === "no-report"));
  if (!silent) throw unsupported("a modifier that is not judged here");
  return true;
}

function requireList(expression: Expression): List {
  if (expression.type !== "list") throw rejected("a profile is a sequence of lists");
  return expression;
}

function head(list: List): string | undefined {
  const first = list.items[0];
  return first?.type === "atom" ? first.name : undefined;
}
