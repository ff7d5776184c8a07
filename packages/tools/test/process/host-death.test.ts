import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { makePlace } from "./test-session.ts";

/** A host in a process of its own: vite loads the sources, as vitest does here. */
const loader = `
const { runnerImport } = await import("vite");
const [file, ...args] = process.argv.slice(1);
const conditions = ["@fencepost/source", "node", "import", "default"];
const { module } = await runnerImport(file, { configFile: false, root: process.cwd(), logLevel: "error", resolve: { conditions }, ssr: { resolve: { conditions, externalConditions: conditions }, noExternal: /@fencepost/ } });
await module.startAndWait(...args);
setInterval(() => {}, 1000);
`;

function startHost(...args: readonly string[]): ChildProcess {
  const file = fileURLToPath(new URL("killed-host.ts", import.meta.url));
  return spawn(process.execPath, ["--input-type=module", "-e", loader, file, ...args], { stdio: ["ignore", "inherit", "inherit"] });
}

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
  const host = startHost(place.workspace, place.home, mark);
  await until(() => sleepers(mark).length === 6);
  expect(sleepers(mark)).toHaveLength(6);
  host.kill("SIGKILL");
  await until(() => sleepers(mark).length === 0);
  expect(sleepers(mark)).toEqual([]);
  place.remove();
});
