import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createLocalSearchBackend } from "../../../src/search/local/local-search-backend.ts";
import { testSearchBackend } from "../../../src/testing/search-suite.ts";

testSearchBackend("of this machine's disk", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "fencepost-search-")));
  return {
    backend: createLocalSearchBackend(),
    root,
    write: async (path, content, modified) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
      utimesSync(join(root, path), modified, modified);
    },
    symlink: async (target, path) => symlinkSync(target, join(root, path)),
    remove: async () => rmSync(root, { recursive: true }),
  };
});
