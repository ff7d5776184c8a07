import type { BenchLimit, BenchRow } from "./case.ts";

/** A table a person can read and a script can split: case, peer, ours, ratio, target, peak memory. */
export function renderTable(rows: readonly BenchRow[]): string {
  return columns([
    ["case", "peer", "ours", "ratio", "target", "peak memory"],
    ...rows.map(({ name, peer, peerMs, oursMs, ratio, target, peakBytes }) => [
      name,
      Number.isNaN(peerMs) ? peer : `${peer} ${milliseconds(peerMs)}`,
      Number.isNaN(oursMs) ? "" : milliseconds(oursMs),
      `${ratio.toFixed(2)}x`,
      target === undefined ? "-" : `<= ${target}x  ${verdict(ratio <= target)}`,
      peakBytes === undefined ? "-" : `${Math.round(peakBytes / 1024 ** 2)} MB`,
    ]),
  ]);
}

/** The same for figures that have no peer. */
export function renderLimits(limits: readonly BenchLimit[]): string {
  return columns([["case", "ours", "target"], ...limits.map(({ name, figure, unit, target }) => [name, `${figure.toFixed(figure < 10 ? 2 : 0)} ${unit}`, `<= ${target} ${unit}  ${verdict(figure <= target)}`])]);
}

function verdict(kept: boolean): string {
  return kept ? "ok" : "MISSED";
}

function columns(cells: readonly (readonly string[])[]): string {
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => (row[column] ?? "").length)));
  return cells.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()).join("\n");
}

function milliseconds(value: number): string {
  return value < 10 ? `${value.toFixed(2)} ms` : `${Math.round(value)} ms`;
}
