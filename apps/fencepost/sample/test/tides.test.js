import assert from "node:assert/strict";
import { test } from "node:test";
import { between, formatTime, parseTime } from "../src/clock.js";
import { tideTable } from "../src/table.js";

test("reads a time of day", () => {
  assert.equal(parseTime("06:45"), 405);
});

test("writes a time of day with two digits", () => {
  assert.equal(formatTime(405), "06:45");
});

test("counts over midnight", () => {
  assert.equal(between("23:10", "05:20"), 370);
});

test("says how long the water falls", () => {
  const tides = [
    { kind: "high", time: "06:10" },
    { kind: "low", time: "16:25" },
  ];
  assert.deepEqual(tideTable(tides), ["high 06:10  10:15", "low  16:25"]);
});
