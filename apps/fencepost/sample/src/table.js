import { between, formatTime } from "./clock.js";

/** One line for each tide: its time, and how long the water rises or falls until the next. */
export function tideTable(tides) {
  return tides.map((tide, index) => {
    const next = tides[index + 1];
    const duration = next ? `  ${formatTime(between(tide.time, next.time))}` : "";
    return `${tide.kind.padEnd(4)} ${tide.time}${duration}`;
  });
}
