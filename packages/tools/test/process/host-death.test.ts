import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundleProcess } from "../files/bundle-process.ts";
import { makePlace } from "./test-session.ts";

let bundle: string;
let script: string;

beforeAll(async () => {
  bundle = mkdtempSync(join(tmpdir(), "fencepost-host-"));
  script = await bundleProcess("../process/killed-host", bundle);
});

afterAll(() => rmSync(bundle, { recursive: true, force: true }));

/** Processes of this machine that sleep for exactly this long. */
function sleepers(mark: string): readonly string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, "utf8") === `sleep\0${mark}\0`;
    } catch {
      return false;
    }
  });
}

async function until(done: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1200 && !done(); tries++) await delay(25);
}

// On macOS the group is killed and a watchdog covers the host's death: tested where it runs.
it.runIf(process.platform === "linux")("[P54] nothing that was started outlives a host that is killed", async () => {
  const place = makePlace();
  const mark = `44${process.pid}`;
  const host = spawn(process.execPath, [script, place.workspace, place.home, mark], { stdio: ["ignore", "inherit", "inherit"] });
  const portFile = join(place.workspace, "port");
  await until(() => sleepers(mark).length === 6 && existsSync(portFile) && readFileSync(portFile, "utf8") !== "");
  expect(sleepers(mark)).toHaveLength(6);
  const url = `http://127.0.0.1:${readFileSync(portFile, "utf8")}/`;
  expect(await (await fetch(url)).text()).toBe("up");
  host.kill("SIGKILL");
  await until(() => sleepers(mark).length === 0);
  expect(sleepers(mark)).toEqual([]);
  await expect(fetch(url)).rejects.toThrow();
  place.remove();
});
