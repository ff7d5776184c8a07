/**
 * What a tool is able to touch. A tool that declares none, or one nobody knows, is treated as having all of them:
 * an unknown tool is never less dangerous than a known one.
 */
export const capabilities = [
  "filesystem.read",
  "filesystem.write",
  "process.execute",
  "network",
  "credentials",
  "external.side-effect",
  "session.read",
  "session.write",
  "agent.delegate",
] as const;

export type Capability = (typeof capabilities)[number];
