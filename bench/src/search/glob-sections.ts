import { lstatSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { SearchBackend } from "@fencepost/tools";
import { walk } from "../../../packages/tools/src/search/worker/walk.ts";
import { compare, type Contender, type Peer } from "../harness/index.ts";
import { makeCorpus } from "../corpora/make-corpus.ts";
import type { CorpusName } from "../corpora/recipes.ts";
import { ripgrepFlags, scopeOf, spawned } from "./contenders.ts";
import { openFilesystemServer } from "./filesystem-server.ts";
import type { Section } from "./report.ts";

const newest = 100;
const byNamePattern = "**/*.ts";

/** The hundred newest files, against the shell's way and the libraries'. */
export function globSections(backend: SearchBackend): readonly Section[] {
  return (["medium", "large"] as const).map((corpus) => globSection(backend, corpus));
}

function globSection(backend: SearchBackend, corpus: CorpusName): Section {
  return {
    name: `glob-${corpus}`,
    async run(wants) {
      const root = await makeCorpus(corpus);
      const ours = (pattern: string): Contender => ({ name: "glob", run: () => backend.glob({ ...scopeOf(root), pattern, maxNewest: newest }, { list: () => undefined, listFull: () => true }) });
      // Loaded here: what else is measured in this process, and in children of this file, must not hold them.
      const [{ default: fastGlob }, { glob: tinyGlob }, { globby }] = await Promise.all([import("fast-glob"), import("tinyglobby"), import("globby")]);
      const server = corpus === "medium" && wants("server-filesystem") ? await openFilesystemServer(root) : undefined;
      const peers: readonly Peer[] = [
        { ...spawned("rg --files | stat | sort", "sh", ["-c", `rg ${ripgrepFlags.join(" ")} --files -0 "$ROOT" | xargs -0 stat -c '%Y %n' | sort -rn | head -${newest}`], { env: { ...process.env, ROOT: root } }), target: 1.3 },
        { name: "fast-glob, stats", run: () => fastGlob("**/*", { cwd: root, stats: true }).then((entries) => newestOf(entries.map(({ path, stats }) => [path, stats?.mtimeMs ?? 0]))), target: 0.5 },
        { name: "tinyglobby, lstat", run: () => tinyGlob("**/*", { cwd: root }).then((paths) => newestOf(paths.map((path) => [path, lstatSync(join(root, path)).mtimeMs]))) },
        ...(corpus === "medium" ? [{ name: "globby, gitignore, lstat", run: () => globby("**/*", { cwd: root, gitignore: true }).then(async (paths) => newestOf(await Promise.all(paths.map(async (path) => [path, (await lstat(join(root, path))).mtimeMs] as const)))) }] : []),
      ];
      try {
        const rows = await compare({ name: `${newest} newest`, peers, ours: ours("**/*") });
        if (!server) return { rows };
        // It finds entries by their name, and knows no times.
        const byName: Peer = { name: "server-filesystem search_files", run: () => server.searchFiles(byNamePattern) };
        return { rows: [...rows, ...(await compare({ name: byNamePattern, peers: [byName], ours: ours(byNamePattern) }))] };
      } finally {
        await server?.close();
      }
    },
  };
}

function newestOf(files: readonly (readonly [string, number])[]): readonly (readonly [string, number])[] {
  return files.toSorted((left, right) => right[1] - left[1]).slice(0, newest);
}

/** The walk alone, on one thread. */
export const walkSection: Section = {
  name: "walk-large",
  async run() {
    const root = await makeCorpus("large");
    const ours: Contender = {
      name: "walk",
      run: () => {
        walk(
          { root, ignoreBoundary: root, onPlainDisk: true, excludedPaths: new Set(), skippedDirectories: new Set(), includeHidden: false, glob: undefined, visitsIgnored: false },
          { file: () => undefined, directory: () => undefined, entry: () => undefined, unreadable: () => undefined, ignored: () => undefined, hidden: () => undefined },
        );
      },
    };
    return { rows: await compare({ name: "all files", peers: [{ ...spawned("rg --files", "rg", [...ripgrepFlags, "--files", root]), target: 1.3 }], ours }) };
  },
};
