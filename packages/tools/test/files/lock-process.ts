import { closeSync, openSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { ownProcess } from "@fencepost/sandbox";
import { createLockDirectory } from "../../src/files/local/lock-directory.ts";
import { sha256 } from "../../src/files/hash.ts";

/**
 * One process that takes a lock again and again, for tests with several: `node lock-process.ts <directory> <rounds>`.
 * Every other time it leaves the lock as a dead process would. Prints how often somebody else held it too.
 */
const [directory = "", rounds = ""] = process.argv.slice(2);
const key = "/f";
const lock = `${directory}/locks/${sha256(Buffer.from(key))}`;
const mark = `${directory}/held`;
const locks = createLockDirectory(`${directory}/locks`, { waitMs: 300_000 });

let shared = 0;
for (let round = 0; round < Number(rounds); round++) {
  const release = await locks.acquire(key);
  try {
    closeSync(openSync(mark, "wx"));
    unlinkSync(mark);
  } catch {
    shared++;
  }
  if (round % 2 === 0) leaveBehind(round);
  else release();
}
console.log(shared);

/** The lock of a process that no longer is, in place of this one's. */
function leaveBehind(round: number): void {
  const aside = `${directory}/left-${process.pid}`;
  writeFileSync(aside, JSON.stringify({ ...ownProcess(), pid: 2 ** 31 - 2, started: `${process.pid}${round}`, key }));
  renameSync(aside, lock);
}
