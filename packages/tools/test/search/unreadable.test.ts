import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { asNobody } from "./as-nobody.ts";
import { makeSearchPlace, type SearchPlace } from "./search-place.ts";

// Root's own home lets nobody else in: the workspace has to lie elsewhere.
const realHome = process.env["HOME"];
let base: string;
let place: SearchPlace;

beforeEach(async () => {
  base = mkdtempSync("/var/tmp/fencepost-test-");
  chmodSync(base, 0o755);
  process.env["HOME"] = base;
  place = await makeSearchPlace();
});

afterEach(async () => {
  process.env["HOME"] = realHome;
  await place.close();
  rmSync(base, { recursive: true, force: true });
});

it("[G-15] [T47] counts what cannot be read, and is no error", async () => {
  place.files({ "open/a.txt": "x\n", "closed/b.txt": "hit\n", "locked.txt": "hit\n" });
  await asNobody(place, ["closed", "locked.txt"], async () => {
    expect(await place.grep({ pattern: "hit" })).toBe("No matches for /hit/ in . (2 paths unreadable)");
    expect(await place.grep({ pattern: "x" })).toBe("open/a.txt\n1:x\n[2 paths could not be read]");
    expect(await place.glob({ pattern: "**/*.md" })).toBe("No files match **/*.md in . (1 path unreadable)");
    expect(await place.glob({ pattern: "**/a*" })).toBe("open/a.txt\n[1 path could not be read]");
  });
});
