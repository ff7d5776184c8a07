/** A search that found nothing looks for the reasons among so many entries of directories: they are a courtesy. */
export const maxHintEntries = 50_000;

/** How long a search that found nothing looks for the reasons at most, in milliseconds. */
export const hintTimeoutMs = 3000;
