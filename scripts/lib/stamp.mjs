import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** SHA-256 of files and directories (all below them) by relative name and content; what is missing counts as missing. */
export function hashOf(root, paths) {
  const hash = createHash("sha256");
  for (const path of paths) addTo(hash, root, path);
  return hash.digest("hex");
}

function addTo(hash, root, path) {
  const full = join(root, path);
  if (!existsSync(full)) {
    hash.update(`missing ${path}\0`);
    return;
  }
  let entries;
  try {
    entries = readdirSync(full);
  } catch {
    hash.update(`file ${path}\0`).update(readFileSync(full)).update("\0");
    return;
  }
  for (const entry of entries.toSorted()) if (entry !== "node_modules" && entry !== ".turbo") addTo(hash, root, join(path, entry));
}

/** What was true when a step last succeeded. Kept below node_modules: it goes when they go. */
export function readStamp(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

export function writeStamp(file, stamp) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(stamp, null, 2)}\n`);
}
