/** What an unexpected error says of itself, short, on one line. Never throws, whatever was thrown. */
export function errorText(error: unknown): string {
  try {
    const text = error instanceof Error ? error.message || error.name : String(error);
    return Array.from(text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ").trim()).slice(0, maxErrorCharacters).join("") || "unknown error";
  } catch {
    return "unknown error";
  }
}

const maxErrorCharacters = 500;
