import { readFileSync } from "node:fs";
import { openFileSession } from "./file-session.ts";

/**
 * One process that reads one file and nothing else, for tests that look at its memory: `node reader-process.ts <root>
 * <path> <offset> <limit>`. Prints the text of the result and the most memory the process ever held, in bytes.
 */
const [root = "", path = "", offset = "1", limit = "2000"] = process.argv.slice(2);
const session = openFileSession({ workspace: `${root}/work`, home: `${root}/home` }, { tools: ["read"] });
const text = await session.text("read", { path, offset: Number(offset), limit: Number(limit) });
console.log(JSON.stringify({ text, peakBytes: peakBytes() }));

function peakBytes(): number {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS * 1024;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) * 1024;
}
