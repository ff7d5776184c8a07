import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { writeFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createLocalSearchBackend } from "../../src/search/local/local-search-backend.ts";
import { makeSearchPlace } from "./search-place.ts";
import { grepRequestOf, heedless } from "../../src/testing/search-request.ts";

const files = 300;
const text = "every line of it is a hit\n".repeat(4000);

it("a search whose budget is spent ends though one thread waits for the results of another that has left", async () => {
  const place = await makeSearchPlace();
  const backend = createLocalSearchBackend();
  try {
    mkdirSync(join(place.workspace, "many"));
    for (let index = 0; index < files; index += 1) writeFileSync(join(place.workspace, `many/${index}.txt`), text);
    await backend.grep(grepRequestOf(place.workspace, "nowhere"), heedless);
    for (const maxBytes of [2, 5, 9, 14].map((megabytes) => megabytes * 1_000_000)) {
      const outcome = await backend.grep(grepRequestOf(place.workspace, "hit", { budget: { maxBytes }, deadline: Date.now() + 50_000 }), heedless);
      expect(outcome.stopped).toBe("budget");
      expect(outcome.matchingLines).toBeGreaterThan(0);
    }
  } finally {
    await backend.close();
    await place.close();
  }
}, 60_000);

it("the pieces of a long list are handed over whole and in order, though their memory is used again", async () => {
  const place = await makeSearchPlace();
  const backend = createLocalSearchBackend();
  try {
    const expected = createHash("sha256");
    for (const index of Array.from({ length: files }, (_, each) => String(each).padStart(3, "0"))) {
      const lines = Array.from({ length: 1000 }, (_, line) => `file ${index} line ${line} ${"-".repeat((line * 7) % 90)}`);
      writeFileSync(join(place.workspace, `${index}.txt`), `${lines.join("\n")}\n`);
      for (const [line, shown] of lines.entries()) expected.update(`${index}.txt:${line + 1}:${shown}\n`);
    }
    const wanted = expected.digest("hex");
    for (let round = 0; round < 3; round += 1) {
      const found = createHash("sha256");
      await backend.grep(grepRequestOf(place.workspace, "line"), { ...heedless, list: (bytes) => found.update(bytes) });
      expect(found.digest("hex")).toBe(wanted);
    }
  } finally {
    await backend.close();
    await place.close();
  }
}, 60_000);
