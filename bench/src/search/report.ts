import { renderLimits, renderTable, type BenchLimit, type BenchRow } from "../harness/index.ts";

/** One part of the benchmark that can be run alone. */
export interface Section {
  readonly name: string;
  /** @param wants whether a case of this section was asked for */
  run(wants: (caseName: string) => boolean): Promise<SectionReport>;
}

export interface SectionReport {
  readonly rows?: readonly BenchRow[];
  readonly limits?: readonly BenchLimit[];
}

export function printReport(name: string, { rows = [], limits = [] }: SectionReport): void {
  console.log(`\n${name}`);
  if (rows.length > 0) console.log(renderTable(rows));
  if (limits.length > 0) console.log(renderLimits(limits));
}
