import { Buffer } from "node:buffer";
import type { ProcessIdentity } from "../backend/process-identity.ts";
import { identify } from "./sandbox-processes.ts";

/** More than this on the status descriptor is not from bwrap. */
const maxStatusBytes = 64 * 1024;

/** What bwrap reports on `--json-status-fd`: one JSON object a line. Nothing in the sandbox can write there. */
export class RunnerStatus {
  /** Process 1 of the sandbox; undefined if it was gone before it could be looked at. */
  init: ProcessIdentity | undefined;
  /** The namespace was made. */
  started = false;
  /** Undefined: the command did not run to an end. */
  exitCode: number | undefined;
  #rest = "";
  #bytes = 0;

  add(chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength;
    if (this.#bytes > maxStatusBytes) return;
    const lines = (this.#rest + Buffer.from(chunk).toString("latin1")).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#read(line);
  }

  #read(line: string): void {
    const report = parse(line);
    const pid = report["child-pid"];
    if (typeof pid === "number") {
      this.started = true;
      this.init = identify(pid);
    }
    const code = report["exit-code"];
    if (typeof code === "number") this.exitCode = code;
  }
}

function parse(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
