/** Directories that must keep their name because they hold something protected. More, and bash refuses. */
export const maxPinnedDirectories = 2000;

/** What the runner is started with, in bytes: profile, parameters, command and environment. The system takes 1 MiB. */
export const maxArgumentBytes = 768 * 1024;

/** How long to wait for a killed group to be gone. */
export const settleTimeoutMs = 2000;

export const settlePollMs = 5;

/** The self-check and a profile's validation must end in this time. */
export const selfCheckTimeoutMs = 10_000;

/** How many paths a line about new protected paths names. */
export const namedPathsInNote = 20;
