import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../../../..", import.meta.url));

/** The command under test: `node <this> …`. */
export const commandPath = `${repository}apps/fencepost/bin/fencepost.mjs`;

/** Tests of the built command look at what is in the sources now. Several test files may ask at once. */
export function buildCommand(): void {
  execFileSync(process.execPath, [`${repository}scripts/build-app.mjs`], { stdio: ["ignore", "ignore", "pipe"] });
}
