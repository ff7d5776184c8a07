import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { modelSchema } from "@fencepost/contract";
import { describe, expect, it } from "vitest";
import { builtinRegistry } from "../../src/builtin/builtin-registry.ts";
import { looseSchemas } from "../../src/testing/loose-schemas.ts";
import { inventoryText, toolInventory } from "../../src/toolset/inventory.ts";
import { defaultPreset, explorerPreset } from "../../src/toolset/presets.ts";
import { makeTestPlace } from "./test-place.ts";

const file = new URL("../../inventory.json", import.meta.url);
const definitionsFile = new URL("../../definitions.json", import.meta.url);

/** What the generated file should hold; `pnpm inventory` writes it. */
function expectCurrent(path: URL, text: string): void {
  if (process.env["FENCEPOST_REFRESH"] === "1") writeFileSync(path, text);
  const current = existsSync(path) ? readFileSync(path, "utf8") : "";
  expect(current, "the checked-in file is out of date; look at the difference and refresh it with `pnpm inventory`").toBe(text);
}

describe("the inventory", () => {
  it("[T5] is what the registry says, byte for byte", () => {
    const text = inventoryText(toolInventory(builtinRegistry()));
    expect(inventoryText(toolInventory(builtinRegistry()))).toBe(text);
    expectCurrent(file, text);
  });

  it("[T1] every text that a model reads of the default set is reviewed: descriptions and schemas, with and without a sandbox", async () => {
    const registry = builtinRegistry();
    const texts: Record<string, unknown> = {};
    for (const [name, sandbox] of [["sandbox", { available: true }], ["no sandbox", { available: false, reason: "none", remedy: "none" }]] as const) {
      const place = await makeTestPlace({ sandbox });
      const { definitions } = registry.finalize({ tools: defaultPreset.tools }, place.session);
      texts[name] = definitions.map(({ resultSchema: _ofPrograms, ...told }) => told);
      await place.remove();
    }
    expectCurrent(definitionsFile, `${JSON.stringify(texts, null, 2)}\n`);
    expect(JSON.stringify(texts["no sandbox"])).not.toMatch(/sandboxPermissions|justification/);
  });

  it("[P11] no text of a tool speaks of network or isolation", () => {
    expect(inventoryText(toolInventory(builtinRegistry()))).not.toMatch(/isolat|\bnetwork(?!")/i);
  });

  it("[T3] every object of every schema lists its properties and what is required, and forbids others", () => {
    const loose = toolInventory(builtinRegistry()).tools.flatMap(({ name, inputSchema }) => looseSchemas(inputSchema, name));
    expect(loose).toEqual([]);
    expect(looseSchemas(modelSchema({ type: "object", properties: { a: { type: "object" } }, additionalProperties: false }))).toEqual(["/properties/a"]);
  });

  it("[T1] every tool of the presets is registered, in the order of the default one", () => {
    const { ids } = builtinRegistry();
    for (const preset of [defaultPreset, explorerPreset]) expect(preset.tools.filter((id) => !ids.includes(id))).toEqual([]);
    expect(ids.slice(0, defaultPreset.tools.length)).toEqual(defaultPreset.tools);
  });
});
