import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Everything below a directory, by relative name: what a refusal must leave as it was. */
export function treeOf(directory: string, under = ""): Readonly<Record<string, string>> {
  const entries: Record<string, string> = {};
  for (const name of readdirSync(join(directory, under)).toSorted()) {
    const path = join(under, name);
    const full = join(directory, path);
    const stat = lstatSync(full);
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.isDirectory()) Object.assign(entries, { [path]: `dir ${mode}` }, treeOf(directory, path));
    else if (stat.isSymbolicLink()) entries[path] = `link ${readlinkSync(full)}`;
    else entries[path] = `${mode} ${createHash("sha256").update(readFileSync(full)).digest("hex")}`;
  }
  return entries;
}
