// `pnpm release`, in the release workflow only: builds and publishes every package whose version is not on npm yet.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { publicPackages } from "./lib/public-packages.mjs";
import { run } from "./lib/say.mjs";
import { build, root } from "./lib/set-up.mjs";

await build();
for (const name of publicPackages()) nameRepository(name);
// It looks for pnpm on the path, where pnpm itself puts it.
const { code } = await run("npx", ["-y", "pnpm@12.4.2", "exec", "changeset", "publish"], { cwd: root, quiet: false, env: { NPM_CONFIG_PROVENANCE: "true" } });
process.exit(code);

/** Provenance is believed only where the package names the repository that the workflow runs in. */
function nameRepository(name) {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
  if (!GITHUB_SERVER_URL || !GITHUB_REPOSITORY) throw new Error("pnpm release runs in the release workflow only: it has to know the repository");
  const file = join(root, "packages", name, "package.json");
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, `${JSON.stringify({ ...manifest, repository: { type: "git", url: `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git`, directory: `packages/${name}` } }, null, 2)}\n`);
}
