import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtinRegistry } from "../../src/builtin/builtin-registry.ts";
import { testTool, type ToolFixture } from "../../src/testing/tool-suite.ts";
import { makeTestPlace } from "../toolset/test-place.ts";

async function fixture(): Promise<ToolFixture> {
  const place = await makeTestPlace();
  writeFileSync(join(place.workspace, "a.txt"), "one\ntwo\n");
  return { session: place.session, policy: place.policy, remove: () => place.remove() };
}

const registry = builtinRegistry();
for (const tool of registry.ids.flatMap((id) => registry.tool(id) ?? [])) testTool(tool, fixture);
