/** What the AI SDK's errors of HTTP calls carry, of whichever copy of it they are. */
interface CallError {
  readonly message: string;
  readonly url: string;
  readonly statusCode?: number;
  readonly isRetryable?: boolean;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** The longest wait that a server may ask for, in milliseconds; beyond it our own is used. */
const maxRetryAfterMs = 60_000;

/** The error as a person needs it: which status came from where, or why there was no connection. */
export function readableError(error: unknown): unknown {
  if (!isCallError(error)) return error;
  const place = placeOf(error.url);
  if (error.statusCode !== undefined) return new Error(`HTTP ${error.statusCode} from ${place}: ${error.message}`, { cause: error });
  return new Error(`no answer from ${place}: ${reasonOf(error)}`, { cause: error });
}

/** Whether the error says that the same request may work later: rate limits, overload, lost connections. */
export function isRetryable(error: unknown): boolean {
  return isCallError(error) && error.isRetryable === true;
}

/** How long the server asks to wait, in milliseconds; undefined where it does not say, or too long. */
export function retryAfterMs(error: unknown): number | undefined {
  const headers = isCallError(error) ? error.responseHeaders : undefined;
  const inMs = Number(headers?.["retry-after-ms"] ?? Number(headers?.["retry-after"]) * 1000);
  return inMs >= 0 && inMs <= maxRetryAfterMs ? inMs : undefined;
}

function isCallError(error: unknown): error is CallError {
  return error instanceof Error && "url" in error && typeof error.url === "string";
}

/** Without what may be a key: a query, a user name. */
function placeOf(url: string): string {
  try {
    const { origin, pathname } = new URL(url);
    return origin + pathname;
  } catch {
    return "the model's server";
  }
}

/** A refused connection to several addresses has no message of its own, only a code. */
function reasonOf({ message, cause }: CallError): string {
  if (!(cause instanceof Error)) return message;
  return cause.message || ("code" in cause ? String(cause.code) : message);
}
