import { describe, expect, it } from "vitest";
import { allows, decide, disputedPoints, parseProfile } from "@fencepost/profile-evaluator";

const judge = (text: string, parameters: Record<string, string> = {}) => {
  const profile = parseProfile(text, parameters);
  return {
    read: (path: string) => allows(profile, { call: "open-read", path }),
    write: (path: string) => allows(profile, { call: "open-append", path }),
    create: (path: string) => allows(profile, { call: "create", path }),
    disputed: disputedPoints(profile).map((point) => point.kind),
    profile,
  };
};

describe("profiles in the manner of those in use", () => {
  it("a build tool's: everything but writing, and writing below a few roots", () => {
    const { read, write, disputed } = judge('(version 1) (allow default) (deny file-write*) (allow file-write* (subpath "/private/tmp") (subpath "/private/var/folders"))');
    expect([read("/etc/hosts"), write("/etc/hosts"), write("/private/tmp/a"), write("/private/tmp"), write("/private/tmpx")]).toEqual([true, false, true, true, false]);
    expect(disputed).toEqual([]);
  });

  it("a strict helper's: nothing but reading the system", () => {
    const { read, write, profile } = judge(`
      (version 1)
      (deny default) ; nothing that is not named
      (allow file-read* (subpath "/usr/lib") (subpath "/System") (literal "/"))
      (allow sysctl-read)
      (allow process-fork)`);
    expect([read("/usr/lib/x.dylib"), read("/"), read("/Users/a"), write("/usr/lib/x")]).toEqual([true, true, false, false]);
    expect([decide(profile, "sysctl-read", "/"), decide(profile, "sysctl-write", "/"), decide(profile, "process-fork", "/")]).toEqual(["allow", "deny", "allow"]);
  });

  it("an agent's: a writable root with a read-only directory carved out of it", () => {
    const text = `(version 1) (deny default) (allow file-read*)
      (allow file-write* (require-all (subpath (param "ROOT")) (require-not (literal (param "GIT"))) (require-not (subpath (param "GIT")))))`;
    const { read, write, disputed } = judge(text, { ROOT: "/r", GIT: "/r/.git" });
    expect([read("/anything"), write("/r/a"), write("/r/.git"), write("/r/.git/config"), write("/r/.github/x")]).toEqual([true, true, false, false, true]);
    expect(disputed).toEqual([]);
  });

  it("a browser's: a regex for a family of files", () => {
    const { read } = judge('(version 1) (deny default) (allow file-read* (regex #"^/private/var/db/[^/]+[.]plist$" #"^/Library/Fonts(/|$)"))');
    expect(["/private/var/db/a.plist", "/private/var/db/a/b.plist", "/private/var/db/aplist", "/Library/Fonts", "/Library/Fonts/x", "/Library/FontsX"].map(read)).toEqual([true, false, false, true, true, false]);
  });

  it("a package builder's: secrets denied after everything was allowed", () => {
    const { read, disputed } = judge('(version 1) (allow default) (deny file-read* (subpath "/Users/a/.ssh")) (deny file-read* (literal "/Users/a/.netrc") (with no-log))');
    expect(["/Users/a/.ssh", "/Users/a/.ssh/id", "/Users/a/.netrc", "/Users/a/.netrc2"].map(read)).toEqual([false, false, false, true]);
    expect(disputed).toEqual([]);
  });

  it("an exception inside the denial", () => {
    const { read } = judge('(version 1) (allow default) (deny file-read* (require-all (subpath "/s") (require-not (literal "/s/pub")) (require-not (subpath "/s/pub"))))');
    expect(["/s/a", "/s/pub", "/s/pub/a", "/s/public"].map(read)).toEqual([false, true, true, false]);
  });

  it("a downloader's: network off, files as they are", () => {
    const { profile, write } = judge("(version 1) (allow default) (deny network*)");
    expect([allows(profile, { call: "connect", path: "/var/run/x.sock" }), write("/a")]).toEqual([false, true]);
  });

  it("a viewer's: looking at metadata everywhere, at contents nowhere", () => {
    const { profile, disputed } = judge("(version 1) (deny default) (allow file-read-metadata)");
    expect([allows(profile, { call: "stat", path: "/a" }), allows(profile, { call: "open-read", path: "/a" })]).toEqual([true, false]);
    expect(disputed).toEqual([]);
  });

  it("several operations in one rule", () => {
    const { read, write } = judge('(version 1) (deny default) (allow file-read* file-write* (subpath "/work"))');
    expect([read("/work/a"), write("/work/a"), read("/other")]).toEqual([true, true, false]);
  });

  it("a log collector's: creating but not removing", () => {
    const { profile } = judge('(version 1) (allow default) (deny file-write-unlink (subpath "/var/log"))');
    expect(allows(profile, { call: "create", path: "/var/log/a" })).toBe(true);
    expect(allows(profile, { call: "rename", from: "/var/log/a", to: "/tmp/a" })).toBe(false);
    expect(allows(profile, { call: "rename", from: "/tmp/a", to: "/var/log/a" })).toBe(true);
    expect(allows(profile, { call: "rename", from: "/tmp/a", to: "/var/log/a", replaces: true })).toBe(false);
  });

  it("a launcher's: no other program started from outside", () => {
    const { profile } = judge("(version 1) (allow default) (deny lsopen) (deny appleevent-send)");
    expect([allows(profile, { call: "launch" }), allows(profile, { call: "send-event" }), allows(profile, { call: "exec", path: "/bin/ls" })]).toEqual([false, false, true]);
  });

  it("a jail's: links are no kind of writing", () => {
    const link = { call: "link", from: "/out/f", to: "/ws/h" } as const;
    const open = '(version 1) (allow default) (deny file-write*) (allow file-write* (subpath "/ws"))';
    expect(allows(parseProfile(open), link)).toBe(true);
    expect(allows(parseProfile(`${open} (deny file-link) (allow file-link (subpath "/ws"))`), link)).toBe(false);
  });

  it("a parameter whose value looks like a rule stays a path", () => {
    const { write } = judge('(version 1) (deny default) (allow file-write* (subpath (param "P0")))', { P0: '/a") (allow file-write* (subpath "/' });
    expect([write("/a"), write("/etc/x"), write('/a") (allow file-write* (subpath "/x')]).toEqual([false, false, false]);
  });
});
