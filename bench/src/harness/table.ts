import type { BenchRow } from "./case.ts";

const headings = ["case", "peer", "ours", "ratio", "target", "peak memory"] as const;

/** A table a person can read and a script can split: case, peer, ours, ratio, target, peak memory. */
export function renderTable(rows: readonly BenchRow[]): string {
  const cells = [
    headings,
    ...rows.map((row) => [
      row.name,
      `${row.peer} ${milliseconds(row.peerMs)}`,
      milliseconds(row.oursMs),
      `${row.ratio.toFixed(2)}x`,
      `<= ${row.target}x${row.ratio <= row.target ? "" : "  MISSED"}`,
      row.peakBytes === undefined ? "-" : `${Math.round(row.peakBytes / 1024 ** 2)} MB`,
    ]),
  ];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? "").length)));
  return cells.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()).join("\n");
}

function milliseconds(value: number): string {
  return value < 10 ? `${value.toFixed(2)} ms` : `${Math.round(value)} ms`;
}
