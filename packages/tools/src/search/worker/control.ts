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
  kibibytesTaken: 5,
  /** 1: more was read than may be. */
  overBudget: 6,
  /** 1: the leader has given away its last batch. */
  leadDone: 7,
  /** 1: the leader has nothing to do, and takes a part of what a helper does. */
  leadWaits: 8,
  /** Grows whenever a helper has finished a batch or handed one back: what the leader sleeps on. */
  helperNews: 9,
  /** 1: something was found. */
  found: 10,
  /** What was looked through for other readings, which is a courtesy and has an end. */
  secondLookFiles: 11,
  secondLookKibibytes: 12,
  /** From here on one a helper: batches it was given and has not finished. */
  firstHelper: 16,
} as const;

const slots = 64;

export const controlBytes = slots * Int32Array.BYTES_PER_ELEMENT;

/** Above this a thread waits before it sends more, unless the main thread waits for its batch. */
export const maxBytesOnTheWay = 4 * 1024 * 1024;

/** How long a thread sleeps before it looks again whether the search was cancelled, in milliseconds. */
export const napMs = 20;
