import { expect, it } from "vitest";
import { OrderedResults } from "../../../src/search/local/ordered-results.ts";
import { controlBytes, controlSlots } from "../../../src/search/worker/control.ts";
import type { BatchResult } from "../../../src/search/worker/messages.ts";

const result = (batch: number, name: string, next?: number): BatchResult => ({ kind: "result", batch, bytes: 1, next, files: [{ path: name, matchingLines: 1, lines: [] }] });

function collect(): { readonly control: Int32Array; readonly names: string[]; readonly ordered: OrderedResults } {
  const control = new Int32Array(new SharedArrayBuffer(controlBytes));
  const names: string[] = [];
  return { control, names, ordered: new OrderedResults(control, ({ files }) => names.push(...(files ?? []).map(({ path }) => path))) };
}

it("hands on the results of batches in walk order, also of those that were split on the way", () => {
  const { control, names, ordered } = collect();
  ordered.add(result(64, "e", 128));
  ordered.add(result(48, "d", 64));
  ordered.add(result(0, "a"));
  expect(names).toEqual(["a"]);
  ordered.add(result(0, "b", 32));
  expect(names).toEqual(["a", "b"]);
  expect(Atomics.load(control, controlSlots.awaitedBatch)).toBe(32);
  ordered.add(result(32, "c", 48));
  expect(names).toEqual(["a", "b", "c", "d", "e"]);
  expect(Atomics.load(control, controlSlots.awaitedBatch)).toBe(128);
});

it("hands on in order what is there when a search ends early", () => {
  const { names, ordered } = collect();
  for (const [batch, name] of [[128, "d"], [32, "b"], [64, "c"]] as const) ordered.add(result(batch, name, batch + 1));
  ordered.add(result(0, "a"));
  ordered.flush();
  expect(names).toEqual(["a", "b", "c", "d"]);
});
