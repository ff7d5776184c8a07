/** Memory that the threads of one search share: an Int32 each. */
export const controlSlots = {
  /** 1: end at once. */
  cancelled: 0,
  /** 1: no more text of lines is needed. */
  linesFull: 1,
  /** 1: no more of the full list is needed. */
  listFull: 2,
  /** Bytes of results that are on their way to the main thread. */
  bytesOnTheWay: 3,
  /** The first batch whose results the main thread still waits for: the one that may always go on. */
  awaitedBatch: 4,
  filesTaken: 5,
  kilobytesTaken: 6,
  /** 1: the leader has given away its last batch. */
  leadDone: 7,
  /** 1: the leader has nothing to do, and takes a part of what a helper does. */
  leadWaits: 11,
  /** 1: something was found. */
  found: 8,
  /** What was looked through for another case, which is a courtesy and has an end. */
  otherCaseFiles: 9,
  otherCaseKilobytes: 10,
  /** Grows whenever a helper has finished a batch or handed one back: what the leader sleeps on. */
  helperNews: 12,
  /** From here on one a helper: batches it was given and has not finished. */
  firstHelper: 16,
} as const;

export const controlBytes = 4 * 64;

/** Above this a thread waits before it sends more, unless the main thread waits for its batch. */
export const maxBytesOnTheWay = 4 * 1024 * 1024;
