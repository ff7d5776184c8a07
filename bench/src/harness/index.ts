export type { BenchLimit, BenchRow, Contender, Peer } from "./case.ts";
export { compare, interleave } from "./interleave.ts";
export { median } from "./median.ts";
export { figureAlone } from "./own-process.ts";
export { currentPeakBytes, resetPeak } from "./peak-memory.ts";
export { renderLimits, renderTable } from "./table.ts";
