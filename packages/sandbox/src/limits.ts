/** Mounts over protected directories, with the pins of their ancestors. More, and bash refuses. */
export const maxProtectedMounts = 500;

/** Mounts up to which protected files get one of their own; further files are verified after the call instead. */
export const mountsAim = 50;

/** A larger protected file gets a mount rather than a kept copy. */
export const maxKeptFileBytes = 1024 * 1024;

/** Copies kept for one workspace. */
export const maxKeptBytes = 32 * 1024 * 1024;

/** How long to wait until nothing of an ended command lives. */
export const settleTimeoutMs = 2000;

/** How often protected names are swept while a background task lives. */
export const sweepIntervalMs = 5000;

/** How often a host that looks after a command says on disk that it lives. */
export const heartbeatMs = 1000;

/** What appears later than this behind a killed host's last sign of life was not made by its command. */
export const heartbeatSlackMs = 3000;

/** How long quarantined entries are kept. */
export const quarantineRetentionDays = 30;

/** A record of another boot or process namespace cannot be judged: whose it is is taken for alive this long. */
export const unknownWorldMs = 24 * 60 * 60 * 1000;

/** Baselines that may lie about before they are pruned: one a workspace, and those of live commands. */
export const maxIdleBaselines = 32;

/** A baseline that was needed within this time is not pruned: its command may be about to start. */
export const baselineRestMs = 10_000;

/** How many paths a line about new protected paths names. */
export const namedPathsInNote = 20;

/** How many entries beside a granted credential keep a refusal of their own; the rest of a larger directory reads as missing. */
export const maxMaskedSiblings = 200;

/** Sockets outside `/run` on which programs listen: each is masked. More, and bash refuses. */
export const maxListeningSockets = 256;

/** Sockets that are found in temp roots alone, and on which nobody may listen: so many are masked, the oldest first. */
export const maxDirectorySockets = 64;

/** macOS: directories that must keep their name because they hold something protected. More, and bash refuses. */
export const maxPinnedDirectories = 2000;

/** macOS: what the runner is started with, in bytes: profile, parameters, command and environment. The system takes 1 MiB. */
export const maxArgumentBytes = 768 * 1024;

/** macOS: how often a killed group is looked for until it is gone. */
export const settlePollMs = 5;

/** macOS: the self-check and a profile's validation must end in this time. */
export const selfCheckTimeoutMs = 10_000;
