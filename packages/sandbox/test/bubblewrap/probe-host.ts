import { bubblewrapBackend } from "../../src/index.ts";

/** A host that only asks whether commands can run, and prints the answer. */
const backend = bubblewrapBackend();
console.log(JSON.stringify(await backend.probe()));
await backend.close();
