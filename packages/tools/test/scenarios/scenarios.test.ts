import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { resultText } from "@fencepost/contract";
import { expect, it } from "vitest";
import { makeFilePlace, openFileSession } from "../files/file-session.ts";

const root = fileURLToPath(new URL(".", import.meta.url));
const names = readdirSync(root, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).toSorted();

/** Files below a directory, byte for byte; a missing directory has none. */
function tree(directory: string): Record<string, string> {
  if (!existsSync(directory)) return {};
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(files.map((entry) => [join(entry.parentPath, entry.name).slice(directory.length + 1), readFileSync(join(entry.parentPath, entry.name)).toString("latin1")] as const).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

it("there are enough of them to be a contract", () => {
  expect(names.length).toBeGreaterThanOrEqual(60);
});

/** Each folder: `input` is the workspace, all of it read first; `call.json` the call; `expected` the workspace after it; `result.json` what it answers. */
it.each(names)("[T16] [T46] scenario %s", async (name) => {
  const directory = join(root, name);
  const read = (file: string): Record<string, unknown> => JSON.parse(readFileSync(join(directory, file), "utf8"));
  const call = read("call.json");
  const place = makeFilePlace();
  try {
    mkdirSync(place.workspace, { recursive: true });
    if (existsSync(join(directory, "input"))) cpSync(join(directory, "input"), place.workspace, { recursive: true });
    const session = openFileSession(place, { options: Object(call["options"] ?? {}) });
    for (const file of Object.keys(tree(place.workspace))) await session.call("read", { path: file });
    const result = await session.call(String(call["tool"]), call["input"]);
    const kind = result.error?.details?.["kind"];
    expect({ status: result.status, text: resultText(result), ...(kind !== undefined && { kind }) }).toEqual(read("result.json"));
    expect(tree(place.workspace)).toEqual(tree(join(directory, "expected")));
  } finally {
    place.remove();
  }
});
