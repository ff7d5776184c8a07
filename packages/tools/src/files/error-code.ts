/** The errno code of a failed system call, such as `E2BIG`; undefined for every other error. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
