export type { Bench, BenchCase, BenchRow, Contender } from "./case.ts";
export { interleave, leastRounds } from "./interleave.ts";
export { median } from "./median.ts";
export { currentPeakBytes, resetPeak } from "./peak-memory.ts";
export { renderTable } from "./table.ts";
