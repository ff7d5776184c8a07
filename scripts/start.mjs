// `npm start`: from a bare checkout to the offline demo. Needs Node and npm, nothing else.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { root, setUp } from "./lib/set-up.mjs";

await setUp();

const demo = spawn(process.execPath, [join(root, "apps/fencepost/bin/fencepost.mjs"), "demo"], { stdio: "inherit" });
// The demo takes its scratch copy away; this process waits for it, also on Ctrl-C.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => (signal === "SIGTERM" ? demo.kill(signal) : undefined));
demo.once("error", (error) => {
  console.error(`cannot start the demo: ${error.message}`);
  process.exit(1);
});
demo.once("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 143)));
