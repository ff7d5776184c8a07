import { rejected, unsupported } from "./profile-error.ts";
import { compileRegex } from "./regex.ts";
import type { Expression } from "./s-expression.ts";

/** Whether a rule's filter matches a path. */
export type PathFilter = (path: string, ignoreCase: boolean) => boolean;

export type Parameters = Readonly<Record<string, string>>;

export function parseFilter(expression: Expression, parameters: Parameters): PathFilter {
  if (expression.type !== "list" || expression.items[0]?.type !== "atom") throw rejected("a filter is a list that begins with its name");
  const [{ name }, ...operands] = [expression.items[0], ...expression.items.slice(1)];
  switch (name) {
    case "literal":
      return same(pathOperand(name, operands, parameters));
    case "subpath":
      return under(pathOperand(name, operands, parameters));
    case "prefix":
      return beginning(pathOperand(name, operands, parameters));
    case "regex":
      return regex(operands);
    case "require-any":
      return any(filters(name, operands, parameters));
    case "require-all":
      return all(filters(name, operands, parameters));
    case "require-not":
      return not(filters(name, operands, parameters));
    case "vnode-type":
    case "extension":
    case "file-mode":
    case "entitlement-is-present":
      throw unsupported(`the filter ${name} is not judged here`);
    default:
      throw rejected(`unknown filter ${name}`);
  }
}

function pathOperand(name: string, operands: readonly Expression[], parameters: Parameters): string {
  const [operand, ...more] = operands;
  if (operand === undefined || more.length > 0) throw unsupported(`${name} takes one path here`);
  const path = stringOf(operand, parameters);
  if (!path.startsWith("/")) throw rejected(`${name} needs an absolute path, not ${path}`);
  return path;
}

function stringOf(operand: Expression, parameters: Parameters): string {
  if (operand.type === "string") return operand.value;
  const [head, key, ...more] = operand.type === "list" ? operand.items : [];
  const isParameter = head?.type === "atom" && head.name === "param" && key?.type === "string" && more.length === 0;
  if (!isParameter) throw rejected("a path is a string or (param \"NAME\")");
  const value = Object.hasOwn(parameters, key.value) ? parameters[key.value] : undefined;
  if (value === undefined) throw rejected(`the parameter ${key.value} has no value`);
  return value;
}

const lower = (path: string, ignoreCase: boolean): string => (ignoreCase ? path.toLowerCase() : path);

function same(literal: string): PathFilter {
  return (path, ignoreCase) => lower(path, ignoreCase) === lower(literal, ignoreCase);
}

/** By whole segments, the root included. A trailing slash in the profile never matches: the kernel's paths have none. */
function under(root: string): PathFilter {
  return (path, ignoreCase) => {
    const [inner, outer] = [lower(path, ignoreCase), lower(root, ignoreCase)];
    return outer === "/" || inner === outer || inner.startsWith(`${outer}/`);
  };
}

function beginning(prefix: string): PathFilter {
  return (path, ignoreCase) => lower(path, ignoreCase).startsWith(lower(prefix, ignoreCase));
}

function regex(operands: readonly Expression[]): PathFilter {
  if (operands.length === 0) throw rejected("regex needs a pattern");
  const compiled = operands.map((operand) => {
    if (operand.type === "regex") return compileRegex(operand.source);
    if (operand.type === "string") return compileRegex(operand.value);
    throw rejected("a regex is a literal");
  });
  return (path, ignoreCase) => compiled.some((pattern) => pattern(ignoreCase).test(path));
}

function filters(name: string, operands: readonly Expression[], parameters: Parameters): readonly PathFilter[] {
  if (operands.length === 0) throw rejected(`${name} needs a filter`);
  if (name === "require-not" && operands.length > 1) throw unsupported("require-not takes one filter here");
  return operands.map((operand) => parseFilter(operand, parameters));
}

function any(inner: readonly PathFilter[]): PathFilter {
  return (path, ignoreCase) => inner.some((filter) => filter(path, ignoreCase));
}

function all(inner: readonly PathFilter[]): PathFilter {
  return (path, ignoreCase) => inner.every((filter) => filter(path, ignoreCase));
}

function not(inner: readonly PathFilter[]): PathFilter {
  return (path, ignoreCase) => !any(inner)(path, ignoreCase);
}
