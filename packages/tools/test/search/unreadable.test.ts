import { afterEach, beforeEach, expect, it } from "vitest";
import { asNobody, makePlaceForNobody } from "./as-nobody.ts";
import type { SearchPlace } from "./search-place.ts";

let place: SearchPlace;
beforeEach(async () => {
  place = await makePlaceForNobody();
});
afterEach(() => place.close());

it("[G-15] [T47] counts what cannot be read, and is no error", async () => {
  place.files({ "open/a.txt": "x\n", "closed/b.txt": "hit\n", "locked.txt": "hit\n" });
  await asNobody(place, ["closed", "locked.txt"], async () => {
    expect(await place.grep({ pattern: "hit" })).toBe("No matches for /hit/ in . (2 paths unreadable)");
    expect(await place.grep({ pattern: "x" })).toBe("open/a.txt\n1:x\n[2 paths could not be read]");
    expect(await place.glob({ pattern: "**/*.md" })).toBe("No files match **/*.md in . (1 path unreadable)");
    expect(await place.glob({ pattern: "**/a*" })).toBe("open/a.txt\n[1 path could not be read]");
  });
});
