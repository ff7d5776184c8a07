import assert from "node:assert/strict";
import { test } from "node:test";
import { tideTable } from "../src/table.js";

test("says how long the water falls", () => {
  const tides = [
    { kind: "high", time: "06:10" },
    { kind: "low", time: "16:25" },
  ];
  assert.deepEqual(tideTable(tides), ["high 06:10  10:15", "low  16:25"]);
});
