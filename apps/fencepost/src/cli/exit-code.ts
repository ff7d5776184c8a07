/** What a shell sees. Documented in docs/cli.md and stable. */
export const exitCodes = {
  succeeded: 0,
  failed: 1,
  usage: 2,
  denied: 3,
  sandboxUnavailable: 4,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;
