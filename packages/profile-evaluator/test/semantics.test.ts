import { describe, expect, it } from "vitest";
import { allows, decide, disputedPoints, parseProfile, ProfileError } from "@fencepost/profile-evaluator";

const begin = "(version 1) (allow default) ";

describe("who wins", () => {
  it("the last filtered rule that matches, of one operation", () => {
    const profile = parseProfile(`${begin}(deny file-write* (subpath "/a")) (allow file-write* (subpath "/a/b")) (deny file-write* (literal "/a/b/c"))`);
    expect(["/a/x", "/a/b/x", "/a/b/c", "/z"].map((path) => decide(profile, "file-write-data", path))).toEqual(["deny", "allow", "deny", "allow"]);
    expect(disputedPoints(profile)).toEqual([{ kind: "allow-after-deny", operation: "file-write*" }]);
  });

  it("[D-35] the specific operation over its wildcard, in either order", () => {
    const rules = ['(allow file-write-create (subpath "/a"))', '(deny file-write* (subpath "/a"))'];
    for (const text of [rules.join(" "), rules.toReversed().join(" ")]) {
      const profile = parseProfile(begin + text);
      expect([decide(profile, "file-write-create", "/a/x"), decide(profile, "file-write-data", "/a/x")]).toEqual(["allow", "deny"]);
      expect(disputedPoints(profile)).toEqual([{ kind: "allow-below-wildcard", operation: "file-write-create" }]);
    }
    const reverse = parseProfile(`${begin}(deny file-write-unlink (literal "/a")) (allow file-write* (subpath "/a"))`);
    expect([decide(reverse, "file-write-unlink", "/a"), decide(reverse, "file-write-unlink", "/a/x")]).toEqual(["deny", "allow"]);
    expect(disputedPoints(reverse)).toEqual([]);
  });

  it("[D-36] never an unfiltered rule over a filtered one, and the doubt is told", () => {
    const profile = parseProfile(`${begin}(allow file-write* (subpath "/a")) (deny file-write*)`);
    expect([decide(profile, "file-write-data", "/a/x"), decide(profile, "file-write-data", "/b")]).toEqual(["allow", "deny"]);
    expect(disputedPoints(profile)).toEqual([{ kind: "unfiltered-after-filtered", operation: "file-write*" }]);
  });

  it("tells of an unfiltered specific rule below a filtered wildcard", () => {
    const profile = parseProfile(`${begin}(deny file-write* (subpath "/a")) (deny file-write-unlink)`);
    expect(disputedPoints(profile)).toEqual([{ kind: "unfiltered-below-filtered", operation: "file-write-unlink" }]);
  });

  it("a refusal where nothing is said", () => {
    expect(decide(parseProfile("(version 1)"), "file-read-data", "/a")).toBe("deny");
  });
});

describe("case", () => {
  it("folds literals, subpaths and regexes where the file system does, and only there", () => {
    const profile = parseProfile('(version 1) (deny default) (allow file-read* (literal "/A/b") (subpath "/C") (regex #"^/e[.]txt$"))');
    for (const path of ["/a/B", "/c/x", "/E.TXT"]) expect([decide(profile, "file-read-data", path), decide(profile, "file-read-data", path, "folded")]).toEqual(["deny", "allow"]);
  });

  it("a swap asks about both names", () => {
    const profile = parseProfile(`${begin}(deny file-write* (literal "/a"))`);
    expect([allows(profile, { call: "swap", from: "/b", to: "/a" }), allows(profile, { call: "swap", from: "/b", to: "/c" })]).toEqual([false, true]);
  });
});

describe("what is not loaded", () => {
  const cases: readonly [text: string, kind: "rejected" | "unsupported"][] = [
    ["", "rejected"],
    ["(allow default)", "rejected"],
    ["(version 2)", "rejected"],
    ["(version 1) (allow default", "rejected"],
    ["(version 1) (allow default))", "rejected"],
    [`${begin}(deny file-teleport)`, "rejected"],
    [`${begin}(deny)`, "rejected"],
    [`${begin}(deny file-read* (regex #"(?i)/[.]git"))`, "rejected"],
    [`${begin}(deny file-read* (regex #"["))`, "rejected"],
    [`${begin}(deny file-read* (subpath "relative"))`, "rejected"],
    [`${begin}(deny file-read* (subpath (param "P0")))`, "rejected"],
    [`${begin}(deny file-read* (nowhere "/a"))`, "rejected"],
    [`${begin}(deny file-read* (require-not))`, "rejected"],
    [`${begin}(deny file-read* (literal "/${"a".repeat(999)}"))`, "rejected"],
    [`${begin}(deny file-read* (regex #"/${"a".repeat(999)}"))`, "rejected"],
    [`${begin}(deny file-read* (literal "/open))`, "rejected"],
    [`${begin}(deny file-read* (vnode-type DIRECTORY))`, "unsupported"],
    [`${begin}(deny file-read* (regex #"/a{2}"))`, "unsupported"],
    [`${begin}(deny file-read* (regex #"/[\\w]"))`, "unsupported"],
    [`${begin}(deny file-read* (regex #"/\\d"))`, "unsupported"],
    ['(version 1) (import "system.sb")', "unsupported"],
    [`${begin}(deny file-read* (subpath "/a") (with send-signal SIGKILL))`, "unsupported"],
  ];

  it.each(cases)("[D-37] %s", (text, kind) => {
    try {
      parseProfile(text);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(ProfileError);
      expect(error).toHaveProperty("kind", kind);
    }
  });

  it("loads a literal of 999 bytes", () => {
    expect(parseProfile(`${begin}(deny file-read* (literal "/${"a".repeat(998)}"))`).rules).toHaveLength(2);
  });
});
