// For tests of the command line: builds it where it is stale, and does nothing else.
import { buildApp } from "./lib/set-up.mjs";

await buildApp();
