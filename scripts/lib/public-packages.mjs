import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./set-up.mjs";

/** Folder names of the packages that are published. */
export function publicPackages() {
  return readdirSync(join(root, "packages"))
    .toSorted()
    .filter((name) => !JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8")).private);
}
