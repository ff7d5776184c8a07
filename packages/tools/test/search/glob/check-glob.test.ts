import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { filesOfOneTime, makeSearchPlace, type SearchPlace } from "../search-place.ts";

let place: SearchPlace;
beforeEach(async () => {
  place = await makeSearchPlace();
});
afterEach(() => place.close());

const hits = (...paths: readonly string[]): void => filesOfOneTime(place, paths, "hit\n");

describe("a glob that begins with ~", () => {
  it.each(["~", "~/x", "~/**/*.ts", "~root/x", "~some.user-1/**"])("[P-01] %s is refused as a home directory, with the ways to write what may be meant", async (glob) => {
    hits("~/x", "~root/x");
    const reason = "cannot be used: it begins with ~, as a home directory does; give the directory in `path` and a relative pattern, such as **/*.ts. Write \\~ where a name begins so";
    expect(await place.glob({ pattern: glob })).toBe(`invalid tool input: \`pattern\` ${reason}`);
    expect(await place.grep({ pattern: "hit", glob })).toBe(`invalid tool input: \`glob\` ${reason}`);
  });

  it("finds the name it is, where it is no home directory", async () => {
    hits("~$report.docx", "~tmp", "~$d/a.txt", "sub/~$x.docx");
    expect(await place.glob({ pattern: "~$*.docx" })).toBe("~$report.docx");
    expect(await place.glob({ pattern: "~*" })).toBe("~$report.docx\n~tmp");
    expect(await place.glob({ pattern: "~$d/*" })).toBe("~$d/a.txt");
    expect(await place.grep({ pattern: "hit", glob: "~$*.docx", outputMode: "files_with_matches" })).toBe("sub/~$x.docx\n~$report.docx");
  });

  it("finds a directory of that name behind a backslash, or from its own place", async () => {
    hits("~/x", "~root/y");
    expect(await place.glob({ pattern: "\\~/*" })).toBe("~/x");
    expect(await place.glob({ pattern: "\\~*/*" })).toBe("~/x\n~root/y");
    expect(await place.glob({ pattern: "./~root/*" })).toBe("~root/y");
    expect(await place.grep({ pattern: "hit", glob: "\\~root/**" })).toBe("~root/y\n1:hit");
  });
});
