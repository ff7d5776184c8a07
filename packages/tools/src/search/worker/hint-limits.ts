/** Why nothing was found is looked into only among so many entries: it is a courtesy. */
export const maxHintEntries = 50_000;

/** How long that takes at most, in milliseconds. */
export const hintTimeoutMs = 3000;
