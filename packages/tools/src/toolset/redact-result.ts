import type { Display, ToolError, ToolResult } from "@fencepost/contract";

export type Redact = (text: string) => string;

/**
 * A result without the session's secrets, in all that models, people and records read. Artifacts stay as they are:
 * undo needs a file's exact bytes.
 */
export function redactResult(result: ToolResult, redact: Redact | undefined): ToolResult {
  if (!redact) return result;
  const { content, error, data, display } = result;
  return {
    ...result,
    content: content.map((part) => (part.type === "text" ? { ...part, text: redact(part.text) } : part)),
    ...(error && { error: redactError(error, redact) }),
    ...(data !== undefined && { data: mapStrings(data, redact) }),
    ...(display && { display: redactDisplay(display, redact) }),
  };
}

function redactError({ code, message, retryable, details, recoveryHint }: ToolError, redact: Redact): ToolError {
  return {
    code,
    message: redact(message),
    retryable,
    ...(details && { details: mapRecord(details, redact) }),
    ...(recoveryHint !== undefined && { recoveryHint: redact(recoveryHint) }),
  };
}

function redactDisplay({ kind, title, body, fields }: Display, redact: Redact): Display {
  return {
    kind,
    title: redact(title),
    ...(body !== undefined && { body: redact(body) }),
    ...(fields && { fields: fields.map(({ label, value }) => ({ label: redact(label), value: redact(value) })) }),
  };
}

/** The same value with every string in it replaced. */
function mapStrings(value: unknown, map: Redact): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map));
  return typeof value === "object" && value !== null ? mapRecord(value, map) : value;
}

function mapRecord(record: object, map: Redact): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([name, inner]) => [name, mapStrings(inner, map)]));
}
