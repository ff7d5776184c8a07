#!/usr/bin/env node
// Kept free of syntax that an old Node cannot read, so that it can say what is missing.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`fencepost: needs Node 20.19 or newer, this is ${process.versions.node}\n`);
  process.exit(1);
}

const entry = new URL("../dist/main.mjs", import.meta.url);
let main;
try {
  main = await import(entry.href);
} catch (error) {
  const missing = error && error.code === "ERR_MODULE_NOT_FOUND" && String(error.message).includes("main.mjs");
  process.stderr.write(missing ? "fencepost: not built yet; run `npm start` in the repository first\n" : `fencepost: cannot start: ${error && error.message}\n`);
  process.exit(1);
}
await main.main();
