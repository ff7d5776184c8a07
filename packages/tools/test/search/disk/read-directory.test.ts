import { closeSync, linkSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readDirectory } from "../../../src/search/disk/read-directory.ts";
import { makeSearchPlace } from "../search-place.ts";

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "fencepost-read-directory-")));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const names = (sizeTells: boolean): readonly string[] | undefined => readDirectory(base, { sizeTells })?.entries.map(({ name }) => name);

it("reads the same in pieces as at once, by code unit", () => {
  const files = Array.from({ length: 3000 }, (_, index) => `${(index * 7919) % 3000}-é🙂.txt`);
  for (const name of files) writeFileSync(join(base, name), "");
  mkdirSync(join(base, "below"));
  expect(names(false)).toEqual([...files, "below"].toSorted());
  expect(names(true)).toEqual(names(false));
});

it.runIf(process.platform === "linux")("[P-09] a name that is no UTF-8 and reads like another is told apart from it, whatever kinds they are", async () => {
  const lossy = (name: string): Buffer => Buffer.concat([Buffer.from(`${base}/`), Buffer.from(name, "latin1")]);
  writeFileSync(join(base, "\uFFFD.txt"), "written so\n");
  closeSync(openSync(lossy("\xff.txt"), "w"));
  closeSync(openSync(lossy("\xfe.txt"), "w"));
  mkdirSync(join(base, "\uFFFD"));
  mkdirSync(lossy("\xff"));
  mkdirSync(lossy("\xfd.md"));
  writeFileSync(join(base, "\uFFFD.md"), "a file\n");
  const listing = readDirectory(base, { sizeTells: false });
  expect(listing?.entries.map((entry) => [entry.name, entry.isDirectory()])).toEqual([["\uFFFD", true], ["\uFFFD.md", false], ["\uFFFD.txt", false]]);
  expect(listing?.lossyTwins.toSorted()).toEqual(["\uFFFD", "\uFFFD.md", "\uFFFD.txt", "\uFFFD.txt"]);
  const place = await makeSearchPlace();
  try {
    place.files({ "\uFFFD.txt": "hit\n" });
    closeSync(openSync(Buffer.concat([Buffer.from(`${place.workspace}/`), Buffer.from([0xff]), Buffer.from(".txt")]), "w"));
    expect(await place.grep({ pattern: "hit" })).toBe("\uFFFD.txt\n1:hit\n[1 path could not be read]");
  } finally {
    await place.close();
  }
});

it("[T24] a directory whose names would take more memory than a thread has is counted as unreadable, and the rest is searched", async () => {
  const place = await makeSearchPlace();
  try {
    place.files({ "a.txt": "hit\n", "many/first": "hit\n" });
    const long = "n".repeat(235);
    for (let index = 0; index < 145_000; index += 1) {
      if (index % 30_000 === 0) writeFileSync(join(place.workspace, `source-${index}`), "");
      linkSync(join(place.workspace, `source-${index - (index % 30_000)}`), join(place.workspace, `many/${long}${index}`));
    }
    expect(await place.grep({ pattern: "hit" })).toBe("a.txt\n1:hit\n[1 path could not be read]");
  } finally {
    await place.close();
  }
}, 120_000);
