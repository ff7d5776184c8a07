import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { calls, openAiServer, says } from "../doubles/openai-server.ts";
import { realWorkspace } from "../doubles/real-workspace.ts";

const place = realWorkspace();
const before = process.cwd();

afterEach(() => {
  process.chdir(before);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it("the example with a model does what a server at its address says, and keeps the session", async () => {
  const server = await openAiServer([calls({ name: "write", arguments: JSON.stringify({ path: "fixed.txt", content: "fixed\n" }) }), says("It is fixed.")]);
  try {
    const { fetch } = globalThis;
    // The example names a fixed port, where something else may listen.
    vi.stubGlobal("fetch", (url: string, init: RequestInit) => fetch(url.replace("http://127.0.0.1:8080/v1", server.url), init));
    const printed: string[] = [];
    vi.spyOn(console, "log").mockImplementation((text: string) => void printed.push(text));
    vi.spyOn(process.stdout, "write").mockImplementation((text) => printed.push(String(text)) > 0);
    process.chdir(place.path);
    await import("./with-a-model.ts");
    vi.restoreAllMocks();
    expect(printed.join("")).toBe("It is fixed.completed");
    expect(readFileSync(join(place.path, "fixed.txt"), "utf8")).toBe("fixed\n");
    expect(existsSync(join(place.home, ".fencepost/sessions.db"))).toBe(true);
  } finally {
    await server.close();
  }
});
