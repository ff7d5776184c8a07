import type { SessionContext } from "../context/session-context.ts";
import { redactText } from "../process/output/redactor.ts";
import type { Redact } from "./redact-result.ts";

/** All that is kept out of a session's results: the secrets of its commands, and what the host takes out besides. */
export function sessionRedactor({ options, redact }: Pick<SessionContext, "options" | "redact">): Redact | undefined {
  const { secrets } = options.commands;
  if (Object.keys(secrets).length === 0) return redact;
  return (text) => redactText(redact ? redact(text) : text, secrets);
}
