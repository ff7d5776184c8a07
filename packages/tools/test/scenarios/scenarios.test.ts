import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
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

/** What this package has no part in: a plain replacement of bytes, or `git apply`. Undefined where it cannot tell. */
function judged({ tool, input, options }: Record<string, unknown>, files: Record<string, string>): Record<string, string> | undefined {
  if (options !== undefined) return undefined;
  const given: Record<string, unknown> = Object(input);
  const text = (key: string): string => Buffer.from(String(given[key])).toString("latin1");
  if (tool === "apply_patch") return patched(text("patch"), files);
  const name = text("filePath");
  if (given["oldString"] === "") return name in files ? undefined : { ...files, [name]: text("newString") };
  const parts = (files[name] ?? "").split(text("oldString"));
  const wanted = given["replaceAll"] === true ? parts.length > 1 : parts.length === 2;
  return wanted ? { ...files, [name]: parts.join(text("newString")) } : undefined;
}

function patched(patch: string, files: Record<string, string>): Record<string, string> | undefined {
  const directory = mkdtempSync(join(tmpdir(), "fencepost-judge-"));
  try {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, name)), { recursive: true });
      writeFileSync(join(directory, name), content, "latin1");
    }
    // Its own directory is no repository, and a parent that is one must not be asked.
    const { status } = spawnSync("git", ["-c", "core.autocrlf=false", "apply", "-"], { cwd: directory, input: Buffer.from(patch, "latin1"), env: { ...process.env, GIT_CEILING_DIRECTORIES: dirname(directory) } });
    return status === 0 ? tree(directory) : undefined;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Where the judge knows less on purpose: the lines that an edit adds take the file's own line break. */
const ours = new Set(["018_edit_crlf_inserted_line"]);

it("what they expect is what a plain replacement or git makes of the input, wherever these can tell", () => {
  let told = 0;
  for (const name of names.filter((candidate) => !ours.has(candidate))) {
    const call: Record<string, unknown> = JSON.parse(readFileSync(join(root, name, "call.json"), "utf8"));
    const result: Record<string, unknown> = JSON.parse(readFileSync(join(root, name, "result.json"), "utf8"));
    const [input, expected] = [tree(join(root, name, "input")), tree(join(root, name, "expected"))];
    if (result["status"] !== "succeeded") expect([name, expected]).toEqual([name, input]);
    const judge = result["status"] === "succeeded" ? judged(call, input) : undefined;
    if (judge === undefined) continue;
    told++;
    expect([name, expected]).toEqual([name, Object.fromEntries(Object.entries(judge).toSorted(([left], [right]) => (left < right ? -1 : 1)))]);
  }
  expect(told).toBeGreaterThanOrEqual(34);
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
