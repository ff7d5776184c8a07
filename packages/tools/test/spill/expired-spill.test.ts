import { resultText } from "@fencepost/contract";
import { expect, it } from "vitest";
import { grepTool } from "../../src/builtin/grep.ts";
import { readTool } from "../../src/builtin/read.ts";
import { createLocalSpillDirectory } from "../../src/spill/local-spill-directory.ts";
import { maxSpillAgeMs, removeStaleSpills } from "../../src/spill/remove-spills.ts";
import { makeTestPlace } from "../toolset/test-place.ts";

it("[B-47] [T26] a spill opens with read and grep until it expires; then they say so, and what to do", async () => {
  const place = await makeTestPlace();
  const { session, stateHome } = place;
  const writer = createLocalSpillDirectory(stateHome, "earlier").open("call-1");
  writer.write("line of output\n");
  const path = (await writer.finish())?.path ?? "";
  const answers = async (): Promise<readonly string[]> => [
    resultText(await readTool.execute(session, place.call(), { path })),
    resultText(await grepTool.execute(session, place.call(), { pattern: "output", path })),
  ];
  expect(await answers()).toEqual(["1\tline of output", expect.stringContaining("1:line of output")]);
  removeStaleSpills(stateHome, Date.now() + maxSpillAgeMs + 1000);
  const expired = `${path} has expired: saved outputs are kept for a limited time. Run the command or the search again.`;
  expect(await answers()).toEqual([expired, expired]);
  await place.remove();
});
