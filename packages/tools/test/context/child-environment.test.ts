import { expect, it } from "vitest";
import { childEnvironment } from "../../src/context/child-environment.ts";
import { makeTestPlace } from "../toolset/test-place.ts";

const place = await makeTestPlace();
const { policy } = place;
await place.remove();

it("B-34: passes on six variables of the host and no other", () => {
  const names = ["PATH", "HOME", "SHELL", "LANG", "LC_ALL", "TMPDIR"];
  const host = Object.fromEntries([...names, "OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY", "BASH_ENV", "LD_PRELOAD", "NODE_OPTIONS", "GIT_SSH_COMMAND", "BASH_FUNC_ls%%"].map((name) => [name, `value of ${name}`]));
  expect(Object.keys(childEnvironment(host, policy)).toSorted()).toEqual([...names, "GOCACHE"].toSorted());
});

it("caches go where a command may write, over the user's own setting", () => {
  const { GOCACHE } = childEnvironment({ GOCACHE: "/home/me/cache", PATH: "/bin" }, policy);
  expect(GOCACHE).toBe(`${policy.environment.tempRoots.at(-1)}/fencepost/go-build`);
});

it("a missing or impossible value is left out, and a PATH is always there", () => {
  expect(childEnvironment({ HOME: undefined, LANG: "a\0b" }, policy)).toEqual({ PATH: expect.stringContaining("/usr/bin"), GOCACHE: expect.any(String) });
});
