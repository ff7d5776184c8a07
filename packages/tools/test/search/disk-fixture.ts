import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createLocalSearchBackend } from "../../src/search/local/local-search-backend.ts";
import type { SearchBackend } from "../../src/search/search-backend.ts";
import type { SearchFixture } from "../../src/testing/search-check.ts";

const nobody = 65_534;

/** The local search on a directory of its own, for the suite; `wrap` may put something around it. */
export async function diskFixture(wrap: (backend: SearchBackend) => SearchBackend = (backend) => backend): Promise<SearchFixture> {
  // Not below root's home, into which nobody else is let.
  const root = realpathSync(mkdtempSync("/var/tmp/fencepost-search-"));
  chmodSync(root, 0o755);
  const isRoot = process.geteuid?.() === 0;
  const closed: string[] = [];
  return {
    backend: wrap(createLocalSearchBackend()),
    root,
    write: async (path, content, modified) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
      utimesSync(join(root, path), modified, modified);
    },
    symlink: async (target, path) => symlinkSync(target, join(root, path)),
    close: async (path) => {
      // Root is refused nothing: the rest of the test is run by somebody else.
      if (isRoot) process.seteuid?.(0);
      chmodSync(join(root, path), 0o000);
      closed.push(path);
      if (isRoot) process.seteuid?.(nobody);
    },
    remove: async () => {
      if (isRoot) process.seteuid?.(0);
      for (const path of closed) chmodSync(join(root, path), 0o700);
      rmSync(root, { recursive: true });
    },
  };
}
