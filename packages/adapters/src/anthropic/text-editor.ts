import { failed, invalidInputPrefix, type ToolResult } from "@fencepost/contract";
import { fieldsOf } from "../shared/fields-of.ts";
import { insertText } from "./insert-text.ts";
import type { NativeShape, RunTool } from "./native-shape.ts";

/** The most lines that one read shows. */
const maxLines = 2000;

/** The native text editor on read, list, write and edit. Every rule of theirs holds: a file is viewed before it is changed. */
export const textEditor: NativeShape = {
  name: "str_replace_based_edit_tool",
  definition: { type: "text_editor_20250728", name: "str_replace_based_edit_tool" },
  replaces: ["read", "write", "edit"],
  run: async (input, run) => {
    const fields = fieldsOf(input);
    const { command, path } = fields;
    if (typeof path !== "string" || path === "") return missing("path", "a non-empty string");
    switch (command) {
      case "view":
        return view(path, fields["view_range"], run);
      case "create":
        return typeof fields["file_text"] === "string" ? run("write", { path, content: fields["file_text"] }) : missing("file_text", "a string");
      case "str_replace":
        return replace(path, fields, run);
      case "insert":
        return insert(path, fields, run);
      default:
        return failed("invalid_arguments", `${invalidInputPrefix}\`command\` was ${shown(command)}; expected "view", "create", "str_replace" or "insert".`);
    }
  },
};

async function view(path: string, range: unknown, run: RunTool): Promise<ToolResult> {
  const lines = rangeOf(range);
  if (lines === undefined) return failed("invalid_arguments", `${invalidInputPrefix}\`view_range\` was ${shown(range)}; expected two whole numbers: the first line, and the last or -1 for the end.`);
  const read = await run("read", { path, ...lines });
  // A directory, most likely: the native tool lists those.
  if (read.error?.details?.["kind"] !== "not_a_file") return read;
  const listed = await run("list", { path });
  return listed.status === "succeeded" ? listed : read;
}

function rangeOf(range: unknown): { readonly offset?: number; readonly limit?: number } | undefined {
  if (range === undefined || range === null) return {};
  if (!Array.isArray(range) || range.length !== 2) return undefined;
  const [first, last]: readonly unknown[] = range;
  if (!isWhole(first) || !isWhole(last) || first < 0 || (last !== -1 && last < first)) return undefined;
  const offset = Math.max(1, first);
  return last === -1 ? { offset } : { offset, limit: Math.min(maxLines, Math.max(1, last - offset + 1)) };
}

function isWhole(value: unknown): value is number {
  return Number.isInteger(value);
}

async function replace(path: string, fields: Readonly<Record<string, unknown>>, run: RunTool): Promise<ToolResult> {
  const { old_str: oldString, new_str: newString = "" } = fields;
  if (typeof oldString !== "string" || oldString === "") return missing("old_str", "a non-empty string");
  if (typeof newString !== "string") return missing("new_str", "a string");
  return run("edit", { filePath: path, oldString, newString });
}

async function insert(path: string, fields: Readonly<Record<string, unknown>>, run: RunTool): Promise<ToolResult> {
  const { insert_line: line, insert_text: text = fields["new_str"] } = fields;
  if (!isWhole(line) || line < 0) return missing("insert_line", "a whole number from 0 up: the line after which to insert");
  if (typeof text !== "string") return missing("insert_text", "a string");
  return insertText(path, line, text, run);
}

function missing(field: string, expected: string): ToolResult {
  return failed("invalid_arguments", `${invalidInputPrefix}\`${field}\` is missing or of another kind; expected ${expected}.`);
}

const maxShownCharacters = 60;

/** What stands in a list or an object may be nested deeper than the stack. */
function shown(value: unknown): string {
  if (Array.isArray(value) && value.some((item) => typeof item === "object")) return "a list";
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return "an object";
  return value === undefined ? "missing" : JSON.stringify(value).slice(0, maxShownCharacters);
}
