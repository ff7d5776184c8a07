import { defineConfig } from "tsdown";

// One bundle: resolving a dozen packages costs more at start than all else the command does.
export default defineConfig({
  entry: ["src/main.ts"],
  format: "esm",
  platform: "node",
  target: "node20",
  dts: false,
  clean: true,
  logLevel: "warn",
  // A native addon cannot be bundled; without it sessions are not kept, and the command says so.
  deps: { alwaysBundle: [/^(?!better-sqlite3$)/], neverBundle: ["better-sqlite3"] },
  inputOptions: { resolve: { conditionNames: ["@fencepost/source", "node", "import", "default"] } },
});
