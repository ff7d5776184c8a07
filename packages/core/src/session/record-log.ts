import type { CallRecord } from "./call-record.ts";

/** How many records a session keeps in memory; older ones are dropped. */
const maxRecords = 1000;

export interface RecordLog {
  readonly records: readonly CallRecord[];
  readonly add: (record: CallRecord) => void;
}

export function createRecordLog(limit = maxRecords): RecordLog {
  const records: CallRecord[] = [];
  return {
    records,
    add(record) {
      records.push(Object.freeze(record));
      // In one go, so that a full log does not shift ten thousand entries at every call.
      if (records.length > limit * 1.1) records.splice(0, records.length - limit);
    },
  };
}
