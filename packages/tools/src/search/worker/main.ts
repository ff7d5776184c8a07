import { parentPort } from "node:worker_threads";
import type { FromWorker, ToWorker } from "./messages.ts";
import { runJob } from "./run-job.ts";

/** The entry of a search thread. It reaches the main program as text: see scripts/embed-search-worker.mjs. */
const port = parentPort;
if (port) {
  const send = (message: FromWorker): void => port.postMessage(message);
  port.on("message", (message: ToWorker) => runJob(message, send));
  send({ kind: "ready" });
}
