import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const lock = fileURLToPath(new URL("../../node_modules/.fencepost/build.lock", import.meta.url));
const retryMs = 100;

/** Two builds at once would delete each other's results. Waits for the one that runs; one whose process died is over. */
export async function oneAtATime(work) {
  while (!take()) await new Promise((resolve) => setTimeout(resolve, retryMs));
  try {
    await work();
  } finally {
    release();
  }
}

let held = false;

// `step` ends the process where a build fails.
process.once("exit", release);

function release() {
  if (held) rmSync(lock, { recursive: true, force: true });
  held = false;
}

function take() {
  try {
    mkdirSync(join(lock, ".."), { recursive: true });
    mkdirSync(lock);
    held = true;
    writeFileSync(join(lock, "pid"), String(process.pid));
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    if (isOver()) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}

function isOver() {
  try {
    process.kill(Number(readFileSync(join(lock, "pid"), "utf8")), 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}
