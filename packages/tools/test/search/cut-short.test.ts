import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeSearchPlace, type SearchPlace } from "./search-place.ts";

let place: SearchPlace;
beforeEach(async () => {
  place = await makeSearchPlace();
});
afterEach(() => place.close());

const one = "[1 file with matches was not searched to its end: it is binary or too large from there on]";

describe("a file that is no text behind its first matches", () => {
  it("[G-11] says so, found in a directory and named", async () => {
    place.files({ "a.txt": "hit\n", "b.bin": "hit\nx\0y\nhit\n" });
    expect(await place.grep({ pattern: "hit" })).toBe(`a.txt\n1:hit\n\nb.bin\n1:hit\n${one}`);
    expect(await place.grep({ pattern: "hit", path: "b.bin" })).toBe(`b.bin\n1:hit\n${one}`);
    expect(await place.grep({ pattern: "hit", outputMode: "count" })).toBe(`a.txt:1\nb.bin:1\n${one}`);
  });

  it("needs no note where its first match was all that was asked for", async () => {
    place.files({ "b.bin": "hit\nx\0y\nhit\n" });
    expect(await place.grep({ pattern: "hit", outputMode: "files_with_matches" })).toBe("b.bin");
  });

  it("is told apart from one that has no match before that", async () => {
    place.files({ "a.txt": "hit\n", "b.bin": "x\0y\nhit\n", "c.bin": "hit\n\0", "d.bin": "hit\n\0" });
    expect(await place.grep({ pattern: "hit" })).toBe(
      "a.txt\n1:hit\n\nc.bin\n1:hit\n\nd.bin\n1:hit\n[2 files with matches were not searched to their end: they are binary or too large from there on]",
    );
  });
});

it("a file that is skipped because it is too large is told beside what was found", async () => {
  await place.close();
  place = await makeSearchPlace({ scanBudget: { maxFileBytes: 1000 } });
  place.files({ "a.txt": "hit\n", "large.txt": "hit\n".repeat(1000) });
  expect(await place.grep({ pattern: "hit" })).toBe("a.txt\n1:hit\n[1 file skipped because it or one of its lines is too large]");
});
