// `pnpm check`: what has to hold before a commit. Independent parts run side by side; each prints one line.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { publicPackages } from "./lib/public-packages.mjs";
import { run } from "./lib/say.mjs";
import { build, root } from "./lib/set-up.mjs";

const bin = (name) => join(root, "node_modules/.bin", name);

/** Tests of whole processes and of the kernel take minutes: `npm test` runs them. */
const slowTests = ["apps/*/test/black-box/**", "packages/*/test/**/kernel/**", "packages/*/test/**/*.slow.test.ts", "packages/sandbox/test/parity/**"];

/** For the fast tests, while the other lane works beside them. */
const workers = Math.max(1, Math.floor(availableParallelism() / 2));

const failures = [];

async function part(title, file, args, options) {
  const { code, output, seconds } = await run(file, args, { cwd: root, ...options });
  console.log(`${code === 0 ? "ok  " : "FAIL"} ${title.padEnd(28)} ${seconds.toFixed(1)} s`);
  if (code !== 0) failures.push(`\n── ${title}\n${output}`);
}

await build();

const lanes = [
  async () => {
    await part("types", bin("tsc"), ["-p", "tsconfig.json", "--noEmit"]);
    await part("knip", bin("knip"), ["--no-progress"]);
    await checkPackages();
  },
  async () => {
    await part("lint (type-aware)", bin("oxlint"), ["--type-aware"]);
    await part("fast tests", bin("vitest"), ["run", "--reporter=dot", `--maxWorkers=${workers}`, ...slowTests.map((glob) => `--exclude=${glob}`)]);
  },
];
await Promise.all(lanes.map((lane) => lane()));

if (failures.length > 0) console.error(failures.join("\n"));
console.log(failures.length === 0 ? "check passed" : `check failed: ${failures.length} of its parts`);
process.exit(failures.length === 0 ? 0 : 1);

/** What would be published, as it would be: packed, then looked at. */
async function checkPackages() {
  const folder = mkdtempSync(join(tmpdir(), "fencepost-pack-"));
  try {
    for (const name of publicPackages()) {
      const { code, output } = await run("npx", ["-y", "pnpm@12.4.2", "pack", "--pack-destination", folder], { cwd: join(root, "packages", name) });
      if (code !== 0) failures.push(`\n── pack ${name}\n${output}`);
    }
    for (const tarball of readdirSync(folder).toSorted()) {
      await part(`publint ${short(tarball)}`, bin("publint"), ["run", join(folder, tarball), "--strict"]);
      await part(`attw ${short(tarball)}`, bin("attw"), [join(folder, tarball), "--profile", "esm-only"]);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function short(tarball) {
  return tarball.replace(/^fencepost-/, "").replace(/-\d.*$/, "");
}
