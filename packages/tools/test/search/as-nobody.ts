import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeSearchPlace, type SearchPlace } from "./search-place.ts";

const nobody = 65_534;

/** A place that others can be let into: root's own home lets nobody in, so the workspace lies elsewhere. */
export async function makePlaceForNobody(): Promise<SearchPlace> {
  const realHome = process.env["HOME"];
  const base = mkdtempSync("/var/tmp/fencepost-test-");
  chmodSync(base, 0o755);
  process.env["HOME"] = base;
  const place = await makeSearchPlace();
  return {
    ...place,
    async close() {
      process.env["HOME"] = realHome;
      await place.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

/** Runs `work` as a user who may read the workspace, except `closed`. Root is never refused anything. */
export async function asNobody(place: SearchPlace, closed: readonly string[], work: () => Promise<void>): Promise<void> {
  if (process.geteuid?.() !== 0) {
    for (const path of closed) chmodSync(join(place.workspace, path), 0o000);
    return work().finally(() => closed.forEach((path) => chmodSync(join(place.workspace, path), 0o755)));
  }
  const opened = openParents(place.workspace);
  giveAway(place.workspace);
  for (const path of closed) {
    chownSync(join(place.workspace, path), 0, 0);
    chmodSync(join(place.workspace, path), 0o700);
  }
  process.seteuid?.(nobody);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
    for (const { path, mode } of opened) chmodSync(path, mode);
  }
}

/** Lets others through the directories above; returns what they were. */
function openParents(path: string): readonly { readonly path: string; readonly mode: number }[] {
  const opened: { path: string; mode: number }[] = [];
  for (let at = dirname(path); at !== "/"; at = dirname(at)) {
    const mode = statSync(at).mode & 0o7777;
    if ((mode & 0o005) === 0o005) continue;
    opened.push({ path: at, mode });
    chmodSync(at, mode | 0o055);
  }
  return opened;
}

function giveAway(path: string): void {
  chownSync(path, nobody, nobody);
  if (statSync(path).isDirectory()) for (const name of readdirSync(path)) giveAway(join(path, name));
}
