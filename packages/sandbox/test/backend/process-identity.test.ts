import { describe, expect, it } from "vitest";
import { isProcessRunning, ownProcess } from "../../src/backend/process-identity.ts";

const own = ownProcess();

it("a process runs as long as its number and its start are its own", () => {
  expect(isProcessRunning(own)).toBe(true);
  expect(isProcessRunning({ ...own, pid: 2 ** 22 + 1 })).toBe(false);
});

describe.runIf(process.platform === "linux")("a record of elsewhere", () => {
  const [machine, boot, namespace] = own.place.split("|");

  it("[P51] of an earlier boot of this machine is of something that has ended", () => {
    expect(isProcessRunning({ ...own, place: [machine, "another-boot", namespace].join("|") })).toBe(false);
  });

  it("of another machine, or of another pid namespace, says nothing", () => {
    expect(isProcessRunning({ ...own, place: ["another-machine/1", "another-boot", namespace].join("|") })).toBeUndefined();
    expect(isProcessRunning({ ...own, place: [machine, boot, "pid:[1]"].join("|") })).toBeUndefined();
  });
});
