import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeTestPlace, type TestPlace } from "../toolset/test-place.ts";

let place: TestPlace;
let program: string;
beforeAll(async () => {
  place = await makeTestPlace();
  mkdirSync(join(place.workspace, "d"));
  writeFileSync(join(place.workspace, "d/a.txt"), "needle\n");
  const out = join(place.workspace, "out");
  await build({
    configFile: false,
    logLevel: "error",
    build: { ssr: true, outDir: out, lib: { entry: fileURLToPath(new URL("../../src/search/local/local-search-backend.ts", import.meta.url)), formats: ["es"], fileName: "backend" }, rollupOptions: { external: [/^node:/], output: { entryFileNames: "backend.mjs" } } },
    ssr: { noExternal: true },
  });
  program = `
    const { createLocalSearchBackend } = await import(${JSON.stringify(join(out, "backend.mjs"))});
    const backend = createLocalSearchBackend();
    const scope = { rootKind: "directory", shownPrefix: "", excludedPaths: [], skippedDirectories: [], includeHidden: false, budget: {}, deadline: Infinity, signal: new AbortController().signal };
    const events = { file: () => {}, list: () => {}, linesFull: () => true, listFull: () => true };
    const grep = (root, rootKind) => backend.grep({ ...scope, root, rootKind, ignoreBoundary: ${JSON.stringify(place.workspace)}, pattern: "needle", glob: undefined, mode: "count", ignoreCase: false, multiline: false, contextLines: 0, maxLinesAFile: 1, maxLineBytes: 100 }, events);
    for (const [root, kind] of [[${JSON.stringify(join(place.workspace, "d"))}, "directory"], [${JSON.stringify(join(place.workspace, "d/a.txt"))}, "file"]]) {
      const { matchingLines, unreadable } = await grep(root, kind);
      console.log(kind, matchingLines, unreadable);
    }
    await backend.close();`;
});
afterAll(async () => {
  rmSync(join(place.workspace, "out"), { recursive: true, force: true });
  await place.remove();
});

/** What the program prints, started by another one. */
function run(command: string, ...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(command, [...args, process.execPath, "--input-type=module", "-e", program], { encoding: "utf8" });
  return stdout + stderr;
}

// Only Linux has /proc, and only root may take it away, from a mount namespace of its own.
it.runIf(process.platform === "linux" && process.getuid?.() === 0)("[G-15] where /proc is not mounted, what cannot be told is counted as unreadable, not as without a match", () => {
  expect(run("env")).toBe("directory 1 0\nfile 1 0\n");
  expect(run("unshare", "-m", "sh", "-c", 'umount -l /proc && exec "$@"', "sh")).toBe("directory 0 1\nfile 0 1\n");
});
