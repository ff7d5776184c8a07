export type { BenchRow, Contender } from "./case.ts";
export { interleave } from "./interleave.ts";
export { median } from "./median.ts";
export { renderTable } from "./table.ts";
