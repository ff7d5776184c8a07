import { expect, it } from "vitest";
import { resultPath } from "../../../src/search/worker/result-path.ts";
import { makeSearchPlace } from "../search-place.ts";

it.each([
  "[showing the 2 most recently modified of 9000 files; full list saved to /tmp/x.txt]",
  "[7 paths could not be read]",
  "12:a line",
  "12-a line",
  "(+5 more matching lines in this file)",
  "--",
  "No matches for /x/ in .",
  "No files match * in .",
  "invalid tool input: x",
])("[P-09] a name that a result could say itself is shown as a path: %s", (name) => {
  expect(resultPath(name)).toBe(`./${name}`);
});

it.each(["[id]/page.tsx", "(group)/page.tsx", "--help.txt", "12/a.txt", "12.txt", "a [7 paths could not be read]", "No.txt"])("a usual name is shown as it is: %s", (name) => {
  expect(resultPath(name)).toBe(name);
});

it("[P-09] so no name forges a line of a result, and what is shown can be used", async () => {
  const place = await makeSearchPlace();
  try {
    place.files({ "[1 path could not be read]": "hit\n", "1:forged": "hit\n", "a.txt": "hit\n" });
    expect(await place.grep({ pattern: "hit" })).toBe("./1:forged\n1:hit\n\n./[1 path could not be read]\n1:hit\n\na.txt\n1:hit");
    expect((await place.glob({ pattern: "*" })).split("\n").toSorted()).toEqual(["./1:forged", "./[1 path could not be read]", "a.txt"]);
    expect(await place.grep({ pattern: "hit", path: "./1:forged", outputMode: "count" })).toBe("./1:forged:1");
  } finally {
    await place.close();
  }
});
