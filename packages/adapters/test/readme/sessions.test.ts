import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MockLanguageModelV3 } from "ai/test";
import { afterEach, expect, it } from "vitest";
import { bundle } from "../../../core/test/processes/bundle.ts";
import { clientKinds, connectClient, textOf } from "../doubles/mcp-clients.ts";
import { realWorkspace } from "../doubles/real-workspace.ts";
import { answer } from "./ai-sdk-session.ts";
import { scriptedSdkModel } from "./scripted-sdk-model.ts";

const place = realWorkspace();
const before = process.cwd();

// The examples open a session where they are started.
afterEach(() => process.chdir(before));

it("the example for the AI SDK answers, its tools at work", async () => {
  process.chdir(place.path);
  const model: MockLanguageModelV3 = scriptedSdkModel([[{ id: "c1", tool: "write", input: { path: "a.txt", content: "1\n" } }], "There is a file now."]);
  expect(await answer(model, [{ role: "user", content: "Make a file." }])).toBe("There is a file now.");
  expect(readFileSync(join(place.path, "a.txt"), "utf8")).toBe("1\n");
});

it("the example of a server on standard input and output serves each client, as a process of its own", async () => {
  const program = await bundle("../../../adapters/test/readme/mcp-stdio");
  try {
    for (const kind of clientKinds) {
      const server = { command: "/bin/sh", args: ["-c", 'cd "$1" && exec "$2" "$3"', "sh", place.path, process.execPath, program.file], env: { PATH: process.env["PATH"] ?? "", HOME: place.home } };
      const client = await connectClient(kind, server);
      expect(textOf(await client.call("bash", { command: "pwd" }))).toContain(`${place.path}\n`);
      await client.close();
    }
  } finally {
    program.remove();
  }
});
